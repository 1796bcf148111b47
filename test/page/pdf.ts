import { inflateSync } from 'node:zlib'

/** The objects of a PDF that Chromium made, by number; streams are inflated. */
function objectsOf(pdf: Buffer): Map<string, string> {
  const objects = pdf.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)endobj/gs)
  return new Map(
    Array.from(objects, ([, number = '', content = '']) => {
      const [, packed] = /FlateDecode.*?stream\r?\n(.*)\r?\nendstream/s.exec(content) ?? []
      const text = packed && inflateSync(Buffer.from(packed, 'latin1')).toString('latin1')
      return [number, text ?? content]
    }),
  )
}

/** The characters of a font by the codes of its glyphs. */
function charactersOf(map: string): Map<string, string> {
  const characters = new Map<string, string>()
  const add = (code: number, character: number) => {
    const key = code.toString(16).padStart(4, '0').toUpperCase()
    characters.set(key, String.fromCodePoint(character))
  }
  for (const [, first = '', last = '', start = ''] of map.matchAll(
    /^<(\w+)> (?:<(\w+)> )?<(\w+)>$/gm,
  )) {
    const [from, character] = [Number.parseInt(first, 16), Number.parseInt(start, 16)]
    const to = last === '' ? from : Number.parseInt(last, 16)
    for (let code = from; code <= to; code++) add(code, character + code - from)
  }
  return characters
}

/** The text of each page of a PDF that Chromium made, without spaces. */
export function pageTexts(pdf: Buffer): string[] {
  const objects = objectsOf(pdf)
  const fonts = new Map<string, Map<string, string>>()
  for (const [number, content] of objects) {
    const [, map] = /\/ToUnicode (\d+) 0 R/.exec(content) ?? []
    if (map !== undefined) fonts.set(number, charactersOf(objects.get(map) ?? ''))
  }
  const pages = [...objects.values()].filter((content) => content.includes('/Type /Page\n'))
  return pages.map((page) => {
    const [, contents = ''] = /\/Contents (\d+)/.exec(page) ?? []
    let font: Map<string, string> | undefined
    let text = ''
    const parts = (objects.get(contents) ?? '').matchAll(
      /\/F(\d+) [\d.]+ Tf|<([0-9A-F]+)> Tj|ActualText \((.*?)\)/g,
    )
    for (const [, name, glyphs = '', ligature = ''] of parts) {
      if (name !== undefined) font = fonts.get(name)
      for (const [code] of glyphs.matchAll(/.{4}/g)) text += font?.get(code) ?? ''
      text += ligature
    }
    return text.replaceAll(' ', '')
  })
}
