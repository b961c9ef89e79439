import { expect, it } from 'vitest'
import { type PdfStructure, pictureLines } from './pdf-pictures.ts'

it('has the descriptions of pictures, in order and at any depth', () => {
  let deep: PdfStructure = { role: 'Figure', alt: 'A map\nof Velm' }
  for (let i = 0; i < 50_000; i++) deep = { role: 'Div', children: [deep] }
  const structure = {
    children: [
      deep,
      { role: 'P', alt: 'no picture' },
      { role: 'Figure' },
      { role: 'Figure', alt: 'An arrow' },
    ],
  }
  expect(pictureLines(structure)).toEqual(['[picture: A map of Velm]', '[picture: An arrow]'])
  expect(pictureLines({ role: 'Figure', alt: { str: 'x' } })).toEqual([])
  expect(pictureLines(null)).toEqual([])
})
