/** List numbers in the formats that Word names; unknown formats are shown as digits. */
export function inFormat(number: number, format: string): string {
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.min(9, Math.ceil(number / 26)))
    return format === 'upperLetter' ? letter.toUpperCase() : letter
  }
  if (format === 'lowerRoman' || format === 'upperRoman') {
    const roman = inRoman(number)
    return format === 'upperRoman' ? roman.toUpperCase() : roman
  }
  return format === 'decimalZero' && number < 10 ? `0${number}` : String(number)
}

const romanSigns: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function inRoman(number: number): string {
  if (number > 3999) return String(number)
  let rest = number
  let roman = ''
  for (const [value, sign] of romanSigns) {
    for (; rest >= value; rest -= value) roman += sign
  }
  return roman
}

/** 55 is `BC`, like a column of a sheet. */
export function inLetters(number: number): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}
