import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @throws when a program is not installed, with the command that installs it on Debian */
export function requireProgram(name: string): void {
  try {
    execFileSync('sh', ['-c', `command -v "$1"`, 'sh', name], { stdio: 'ignore' })
  } catch {
    throw new Error(
      `these tests need ${name}; on Debian: apt-get install --no-install-recommends ${name}`,
    )
  }
}

/** A shell in a terminal. */
export interface Terminal {
  /** Types keys on an empty line and returns the resulting line. */
  type(keys: string): Promise<string>
  end(): void
}

const PRINT = '\u0018d'

const setups = {
  bash: String.raw`PS1='ready> '
bind 'set bell-style none'
bind -x '"\C-xd": printf "\nline <%s> end\n" "$READLINE_LINE"; READLINE_LINE='
source <(flagadm completion bash)
`,
  zsh: String.raw`PS1='ready> '
autoload -Uz compinit && compinit -u -D
source <(flagadm completion zsh)
print-line() { print -r -- $'\nline <'"$BUFFER> end"; BUFFER= }
zle -N print-line
bindkey '^Xd' print-line
`,
}

const arguments_ = {
  bash: (file: string) => `bash --noprofile --rcfile '${file}' -i`,
  zsh: (_file: string) => 'zsh -i',
}

/** Collects output and waits for a part of it. */
function reader({ stdout }: ChildProcess) {
  let text = ''
  let check = () => {}
  stdout?.setEncoding('utf8').on('data', (part) => {
    text += part
    check()
  })
  return (pattern: RegExp) =>
    new Promise<string>((fulfil) => {
      check = () => {
        const found = pattern.exec(text)
        if (!found) return
        text = text.slice(found.index + found[0].length)
        fulfil(found[1] ?? '')
      }
      check()
    })
}

/** Starts a shell with the completion of the installed flagadm in a folder, which is also its home directory. */
export async function openTerminal(
  shell: keyof typeof setups,
  folder: string,
  env: Record<string, string>,
): Promise<Terminal> {
  for (const program of ['script', shell]) requireProgram(program)
  const file = join(folder, '.zshrc')
  writeFileSync(file, setups[shell])
  const child = spawn('script', ['--quiet', '--command', arguments_[shell](file), '/dev/null'], {
    cwd: folder,
    env: { HOME: folder, ZDOTDIR: folder, TERM: 'dumb', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const read = reader(child)
  await read(/ready> /)
  return {
    async type(keys) {
      child.stdin.write(`${keys}${PRINT}`)
      return read(/\nline <([^]*?)> end\r?\n/)
    },
    end: () => child.kill('SIGKILL'),
  }
}
