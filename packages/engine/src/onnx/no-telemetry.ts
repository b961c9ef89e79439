/**
 * The official builds of ONNX Runtime report every session to Microsoft, and keep a device identifier, a database and
 * logs on disk to do so. On Linux and macOS this variable prevents all of it; the runtime reads it once, when it loads.
 * To allow the reports, set the variable to 0. In a worker thread, whose `process.env` is a copy, it has no effect unless
 * the main thread has set it.
 */
process.env.ORT_DISABLE_TELEMETRY ??= '1'
