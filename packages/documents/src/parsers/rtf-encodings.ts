/** Encodings of the bytes in an RTF file: of the whole file (`\ansicpg1251`) and of each font (`\fcharset204`). */

const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}

const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

/** Undefined for the charset of the file, and unknown ones. */
export const encodingOfCharset = (charset: number): string | undefined => charsets[charset]

export const encodingOfCodePage = (page: number): string =>
  codePages[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252')
