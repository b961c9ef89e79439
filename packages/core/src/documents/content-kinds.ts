/**
 * Kinds of content that are not readable text, recognized by their first bytes, and how to extract text from each. From the
 * formats' own specifications and the list at https://www.iana.org/assignments/media-types; bytes are written as Latin-1.
 */
export interface ContentKind {
  /** Stable, for programs: `pdf`. */
  readonly id: string
  /** With its article, for messages: `a PDF`. */
  readonly name: string
  /** One of them is at the start, or at `at`. `?` in `bytes` matches any byte. */
  readonly signatures: readonly Signature[]
  /** A command that prints its text; `FILE` stands for its name. Undefined when there is none. */
  readonly command?: string | undefined
  /** Instead of a command. */
  readonly advice?: string | undefined
}

export interface Signature {
  readonly bytes: string
  /** Other than 0 only for kinds with zero bytes before it. @default 0 */
  readonly at?: number
  /** A text might begin with the same letters, so control characters must follow. @default false */
  readonly isWord?: boolean
}

const at0 = (...signatures: readonly string[]): readonly Signature[] => signatures.map((bytes) => ({ bytes }))
const words = (...signatures: readonly string[]): readonly Signature[] =>
  signatures.map((bytes) => ({ bytes, isWord: true }))

export const contentKinds: readonly ContentKind[] = [
  {
    id: 'pdf',
    name: 'a PDF',
    signatures: at0('%PDF-'),
    command: 'pdftotext FILE -',
    advice: 'For a scan, run OCR first: ocrmypdf FILE scanned.pdf',
  },
  { id: 'postscript', name: 'PostScript', signatures: at0('%!PS'), command: 'ps2ascii FILE' },
  { id: 'djvu', name: 'a DjVu book', signatures: words('AT&TFORM'), command: 'djvutxt FILE' },
  {
    id: 'rtf',
    name: 'an RTF file (text with formatting codes)',
    signatures: at0('{\\rtf'),
    command: 'pandoc -f rtf -t plain FILE',
  },
  {
    id: 'ole',
    name: 'an old Office file (.doc, .xls, .ppt, .msg)',
    signatures: at0('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    command: 'catdoc FILE',
    advice: 'Use xls2csv for .xls and catppt for .ppt.',
  },
  {
    id: 'mobi',
    name: 'a Kindle book',
    signatures: [{ bytes: 'BOOKMOBI', at: 60 }],
    advice: 'Convert it first: ebook-convert FILE book.txt',
  },
  { id: 'gzip', name: 'compressed with gzip', signatures: at0('\x1f\x8b\x08'), command: 'zcat FILE' },
  { id: 'bzip2', name: 'compressed with bzip2', signatures: at0('BZh?1AY&SY'), command: 'bzcat FILE' },
  { id: 'xz', name: 'compressed with xz', signatures: at0('\xfd7zXZ\0'), command: 'xzcat FILE' },
  {
    id: 'zstd',
    name: 'compressed with Zstandard',
    // The second is a skippable frame, with which pzstd begins.
    signatures: at0('\x28\xb5\x2f\xfd', 'P*M\x18'),
    command: 'zstdcat FILE',
  },
  { id: 'lz4', name: 'compressed with LZ4', signatures: at0('\x04\x22\x4d\x18'), command: 'lz4cat FILE' },
  { id: 'compress', name: 'compressed with compress', signatures: at0('\x1f\x9d'), command: 'zcat FILE' },
  {
    id: '7z',
    name: 'a 7-Zip archive',
    signatures: at0('7z\xbc\xaf\x27\x1c'),
    command: '7z x -so FILE',
  },
  {
    id: 'rar',
    name: 'a RAR archive',
    signatures: at0('Rar!\x1a\x07'),
    command: 'unrar p -inul FILE',
  },
  {
    id: 'tar',
    name: 'a tar archive',
    signatures: [
      { bytes: 'ustar\0', at: 257 },
      { bytes: 'ustar  \0', at: 257 },
    ],
    command: 'tar -xOf FILE',
  },
  {
    id: 'sqlite',
    name: 'an SQLite database',
    signatures: at0('SQLite format 3\0'),
    command: 'sqlite3 FILE .dump',
  },
  {
    id: 'parquet',
    name: 'a Parquet file',
    signatures: words('PAR1'),
    command: 'parquet cat FILE',
  },
  { id: 'arrow', name: 'an Arrow file', signatures: at0('ARROW1\0\0'), advice: 'Convert it to CSV first.' },
  { id: 'avro', name: 'an Avro file', signatures: at0('Obj\x01'), advice: 'Convert it to JSON first.' },
  {
    id: 'hdf5',
    name: 'an HDF5 file',
    signatures: at0('\x89HDF\r\n\x1a\n'),
    command: 'h5dump FILE',
  },
  {
    id: 'image',
    name: 'an image',
    signatures: [
      ...at0('\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'II*\0', 'MM\0*', '\0\0\x01\0', '\0\0\0\x0cjP  '),
      ...words('GIF87a', 'GIF89a', 'BM????\0\0\0\0', '8BPS\0\x01'),
      ...['heic', 'heix', 'mif1', 'avif'].map((brand) => ({ bytes: `\0???ftyp${brand}` })),
      ...words('RIFF????WEBP'),
    ],
    command: 'tesseract FILE -',
    advice: 'This runs OCR on the picture.',
  },
  {
    id: 'media',
    name: 'an audio or video file',
    signatures: [
      ...at0(
        '\0???ftyp',
        '\x1aE\xdf\xa3',
        '\0\0\x01\xba',
        '\0\0\x01\xb3',
        '\xff\xfb',
        '\xff\xf3',
        '\xff\xf1',
      ),
      ...at0('\x30\x26\xb2\x75\x8e\x66\xcf\x11'),
      ...words('OggS', 'fLaC', 'ID3', 'RIFF????WAVE', 'RIFF????AVI ', 'FLV\x01', 'MThd\0\0'),
    ],
    advice: 'Transcribe it first, for example with whisper.',
  },
  {
    id: 'executable',
    name: 'a program',
    signatures: [
      ...at0(
        '\x7fELF',
        '\0asm',
        '\xfe\xed\xfa\xce',
        '\xfe\xed\xfa\xcf',
        '\xce\xfa\xed\xfe',
        '\xcf\xfa\xed\xfe',
      ),
      ...at0('\xca\xfe\xba\xbe'),
      ...words('MZ'),
    ],
    advice: 'It contains no text to read; read its documentation or source instead.',
  },
  {
    id: 'weights',
    name: "a model's weights",
    signatures: [...words('GGUF'), { bytes: '\0{"', at: 7 }],
    advice: 'To use it as the model: --model gguf:FILE.',
  },
  {
    id: 'utf-32',
    name: 'text in UTF-32',
    signatures: at0('\xff\xfe\0\0', '\0\0\xfe\xff'),
    command: 'iconv -f UTF-32 -t UTF-8 FILE',
  },
]

/** Many formats are zip files; their first entries tell which. */
export const zipSignatures = ['PK\x03\x04', 'PK\x05\x06'] as const

export interface ZipKind extends Omit<ContentKind, 'signatures'> {
  /** Each matches the name of an entry. */
  readonly entries?: readonly RegExp[]
  /** Matches the content of a first entry named `mimetype`. */
  readonly mimetype?: RegExp
}

/** Known parts only, since any zip file may have a folder of that name. */
const officePart = (folder: string) => new RegExp(`^${folder}/(?:[\\w/]+\\.(?:xml|bin)$|_rels/|media/)`)

export const zipKinds: readonly ZipKind[] = [
  {
    id: 'docx',
    name: 'a Word document',
    entries: [officePart('word')],
    command: 'pandoc -f docx -t plain FILE',
  },
  { id: 'xlsx', name: 'an Excel workbook', entries: [officePart('xl')], command: 'xlsx2csv -a FILE' },
  { id: 'pptx', name: 'a PowerPoint presentation', entries: [officePart('ppt')], command: 'markitdown FILE' },
  {
    id: 'epub',
    name: 'an EPUB book',
    mimetype: /^application\/epub\+zip/,
    command: 'pandoc -f epub -t plain FILE',
  },
  {
    id: 'odt',
    name: 'an OpenDocument text',
    mimetype: /opendocument\.text/,
    command: 'pandoc -f odt -t plain FILE',
  },
  {
    id: 'opendocument',
    name: 'an OpenDocument file',
    mimetype: /opendocument/,
    command: 'soffice --cat FILE',
  },
  {
    id: 'jar',
    name: 'a Java archive',
    entries: [/^META-INF\/MANIFEST\.MF$/, /\.class$/],
    advice: 'It contains a program, not text.',
  },
  {
    id: 'office',
    name: 'an Office document',
    entries: [/^\[Content_Types\]\.xml$|^_rels\//],
    command: 'markitdown FILE',
  },
  { id: 'zip', name: 'a zip archive', command: 'unzip -p FILE' },
]

/** UTF-16 and UTF-32 without a byte order mark, by which bytes of Latin letters are zero. */
export const unmarkedEncodings: readonly (ContentKind & { readonly zeros: readonly boolean[] })[] = [
  ['UTF-32LE', [false, true, true, true]] as const,
  ['UTF-32BE', [true, true, true, false]] as const,
  ['UTF-16LE', [false, true]] as const,
  ['UTF-16BE', [true, false]] as const,
].map(([encoding, zeros]) => ({
  id: encoding.toLowerCase(),
  name: `text in ${encoding} without a byte order mark`,
  signatures: [],
  zeros,
  command: `iconv -f ${encoding} -t UTF-8 FILE`,
}))
