import { FlagadmError, problemText } from '../../errors.ts'
import { listed } from '../../output/incomplete.ts'
import { goes, type Question, skipped, unknown } from '../question.ts'
import { going, verdictText } from '../verdicts.ts'

export const dependents: Question = {
  id: 'dependents',
  states: 'no flag that stays depends on it',
  answer({ flag, document, dependents: depending }) {
    if (!flag) return skipped('the service does not list it')
    if (document === undefined) return 'document'
    if (document instanceof FlagadmError) {
      return unknown(`its own document could not be read: ${problemText(document)}`)
    }
    const { children } = document
    if (!children) return unknown('flags that depend on it are not reported')
    if (children.length === 0) return goes()
    if (!depending) return 'dependents'
    const others = depending.filter(({ verdict }) => verdict !== 'archived')
    const blocker = others.find(({ verdict }) => !going.has(verdict))
    if (blocker) {
      return unknown(`${blocker.name} depends on it and is ${verdictText(blocker.verdict)}`)
    }
    if (others.length === 0) return goes()
    const verb = others.length === 1 ? 'depends' : 'depend'
    const names = listed(others.map(({ name }) => name))
    return goes(`${names} ${verb} on it: archive them together`)
  },
}
