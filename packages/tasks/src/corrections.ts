/** Sentences by which texts correct what they said. */
import { lazy, loadData } from './data/load-data.ts'
import { templates } from './facts/kind.ts'

export const corrections = lazy(() => loadData('corrections.yaml', templates))
