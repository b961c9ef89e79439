/** The public surface of @memagent/train: explicit named exports only. */
export { parseSftConfig, type SftConfig } from './sft/config.ts'
export { trainFromConfig } from './sft/train-from-config.ts'
export { type SftEvent, type SftInput, trainSupervised } from './sft/trainer.ts'
export { type BpeTrainingOptions, byteAlphabet, trainBpe } from './tokenizer/train-bpe.ts'
