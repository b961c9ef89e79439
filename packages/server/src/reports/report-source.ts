/** Recorded benchmarks and training logs for the page, provided by whoever starts the server. Types only. */
import type { Report, ReportSummary } from '@memagent/web'

export interface ReportSource {
  /** Sorted by name. */
  list(): Promise<readonly ReportSummary[]>
  /**
   * @returns undefined for an id that is not in the list
   * @throws RequestError 422 if its file cannot be shown, with the reason but not the path
   */
  read(id: string): Promise<Report | undefined>
}
