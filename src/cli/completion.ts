// Ours, because @bomb.sh/tab evaluates the words of the command line, and commander has no completion.
import { Argument } from '@commander-js/extra-typings'
import type { Define } from '../command/context.ts'
import { withExamples } from '../command/options.ts'
import { unknownValue } from '../input/spelling.ts'

// Bash splits words at `=` and `:`; `complete` ignores a lone `=`.
const BASH = `# Completion of flagadm for bash. In ~/.bashrc: source <(flagadm completion bash)
_flagadm() {
  local line directive= found tab=$'\\t' word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  # Before version 4, bash completes file names wherever there is nothing else.
  compopt +o default 2>/dev/null
  found=$(command flagadm complete -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "\${word#[\\"\\']}" 2>/dev/null)
  while IFS= read -r line; do
    directive=$line
    [[ $line == *"$tab"* ]] && COMPREPLY+=("\${line%%"$tab"*}")
  done <<<"$found"
  case $directive in
    :files) compopt -o default 2>/dev/null ;;
    :folders) compopt -o dirnames 2>/dev/null ;;
  esac
}
complete -o default -F _flagadm flagadm
`

const ZSH = `#compdef flagadm
# Completion of flagadm for zsh. In ~/.zshrc, after compinit: source <(flagadm completion zsh)
# Or write it to a file called _flagadm in a folder of $fpath.
_flagadm() {
  local line directive tab=$'\\t'
  local -a values shown
  local -i width=0
  local -a found=("\${(@f)$(command flagadm complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  for line in $found; do
    directive=$line
    [[ $line == *$tab* ]] || continue
    values+=("\${line%%$tab*}")
    (( $#values[-1] > width )) && width=$#values[-1]
  done
  for line in \${(M)found:#*$tab*}; do
    shown+=("\${(r:width:)\${line%%$tab*}}  \${line#*$tab}")
  done
  (( $#values )) && compadd -l -d shown -a values
  case $directive in
    :files) compset -P '-*='; _files ;;
    :folders) compset -P '-*='; _path_files -/ ;;
  esac
}
if [[ $funcstack[1] == _flagadm ]]; then
  _flagadm "$@"
else
  compdef _flagadm flagadm
fi
`

const FISH = `# Completion of flagadm for fish. In ~/.config/fish/completions/flagadm.fish: flagadm completion fish | source
function __flagadm_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l plain (string unescape -- $word; or echo -- $word)
    set -l lines (command flagadm complete -- $words[2..-1] "$plain" 2>/dev/null)
    # Without a command, fish completes paths, with quotation marks, ~ and the path after --option=.
    switch "$lines[-1]"
        case :files
            complete -C "'' $word"
        case :folders
            complete -C "'' $word" | string match -r -- '^[^\\t]*/(?:\\t.*)?$'
    end
    string match -- '*'\\t'*' $lines
end
complete -c flagadm -f -a '(__flagadm_complete)'
`

const POWERSHELL = `# Completion of flagadm for PowerShell. In $PROFILE:
# flagadm completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName flagadm -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $quotes = [char]34, [char]39
    $words = @($commandAst.CommandElements |
        Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString().Trim($quotes) })
    # Versions before 7.3 drop an empty argument.
    $empty = if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }
    $words += if ($wordToComplete) { $wordToComplete.Trim($quotes) } else { $empty }
    flagadm complete -- @words 2>$null | Where-Object { $_.Contains([char]9) } | ForEach-Object {
        $value, $description = $_ -split [char]9, 2
        $text = if ($value -match '\\s') { "'$value'" } else { $value }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
`

/** The scripts that connect a shell to the hidden command `complete`. */
const scripts = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
}

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

function shellArgument() {
  const argument = new Argument('<shell>', 'shell to print the script for').argParser(
    (text): (typeof shells)[number] => {
      const shell = shells.find((one) => one === text)
      if (shell !== undefined) return shell
      throw unknownValue('shell', text, shells)
    },
  )
  argument.argChoices = [...shells]
  return argument
}

export const define: Define = (command, { out, formats }) => {
  const format = formats(command, ['text'])
  return withExamples(
    command,
    ['flagadm completion bash', 'flagadm completion fish'],
    `Load the script when the shell starts:
  bash, in ~/.bashrc:
    source <(flagadm completion bash)
  zsh, in ~/.zshrc after compinit:
    source <(flagadm completion zsh)
  fish, in ~/.config/fish/completions/flagadm.fish:
    flagadm completion fish | source
  powershell, in $PROFILE:
    flagadm completion powershell | Out-String | Invoke-Expression`,
  )
    .addArgument(shellArgument())
    .action((shell) => {
      format()
      const lines = scripts[shell].trimEnd().split('\n')
      out.lines(lines.map((line) => [{ copy: line }]))
    })
}
