import { jvm } from './java.ts'
import { double, type Language, multiline, raw, single, withHole, words } from './language.ts'

export const kotlin: Language = {
  ...jvm,
  // The others are read by the same rules.
  name: 'Kotlin, Groovy and Scala',
  extensions: 'kt kts groovy gradle scala',
  quotes: [withHole(multiline(raw('"""')), '${', true), withHole(double, '${', true), single],
  functionWords: words('fun def'),
  callMethod: 'invoke',
}
