/** Writes a graph as an ONNX model: `ModelProto` of onnx.proto3, opset 17 and the runtime's own operators. */
import type { Attribute, Constant, DataType, Graph, GraphNode, Value } from '../graph/graph.ts'
import { ProtobufWriter } from './protobuf.ts'

/** `TensorProto.DataType` */
const dataTypes: Record<DataType, number> = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9 }
const irVersion = 8
const opsets = [
  ['', 17],
  ['com.microsoft', 1],
] as const

export function serializeModel(graph: Graph): Uint8Array {
  const body = new ProtobufWriter()
  for (const node of graph.nodes) body.message(1, nodeProto(node))
  for (const output of graph.outputs) body.message(1, identity(output.value, output.name))
  body.text(2, 'memagent')
  for (const constant of graph.constants) body.message(5, tensorProto(constant))
  for (const input of graph.inputs) body.message(11, valueInfo(input, input.name))
  for (const { name, value } of graph.outputs) body.message(12, valueInfo(value, name))
  const model = new ProtobufWriter().integer(1, irVersion).message(7, body)
  for (const [domain, version] of opsets)
    model.message(8, new ProtobufWriter().text(1, domain).integer(2, version))
  return model.finish()
}

function nodeProto({ inputs, outputs, operator, domain, attributes }: GraphNode): ProtobufWriter {
  const proto = new ProtobufWriter()
  for (const input of inputs) proto.text(1, input.name)
  for (const output of outputs) proto.text(2, output.name)
  proto.text(4, operator)
  for (const [name, value] of Object.entries(attributes)) proto.message(5, attributeProto(name, value))
  return domain === '' ? proto : proto.text(7, domain)
}

const identity = (value: Value, name: string) =>
  new ProtobufWriter().text(1, value.name).text(2, name).text(4, 'Identity')

/** Field 20 is the attribute's type: 1 float, 2 integer, 3 string, 7 integers. */
function attributeProto(name: string, value: Attribute): ProtobufWriter {
  const proto = new ProtobufWriter().text(1, name)
  if (typeof value === 'number') return proto.integer(3, value).integer(20, 2)
  if (typeof value === 'string') return proto.text(4, value).integer(20, 3)
  if ('float' in value) return proto.float(2, value.float).integer(20, 1)
  for (const item of value) proto.integer(8, item)
  return proto.integer(20, 7)
}

function tensorProto({ value, data }: Constant): ProtobufWriter {
  const proto = new ProtobufWriter()
  for (const dimension of value.shape) proto.integer(1, dimension)
  return proto
    .integer(2, dataTypes[value.type])
    .text(8, value.name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

function valueInfo(value: Value, name: string): ProtobufWriter {
  const shape = new ProtobufWriter()
  let shapeCount = 0
  for (const dimension of value.shape) {
    const proto = new ProtobufWriter()
    shape.message(1, dimension < 0 ? proto.text(2, `${name}/${shapeCount++}`) : proto.integer(1, dimension))
  }
  const tensor = new ProtobufWriter().integer(1, dataTypes[value.type]).message(2, shape)
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor))
}
