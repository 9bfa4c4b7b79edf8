import { quoteWord } from "@pulumi-static-export/contract";
import { type Completable } from "./command-tree.js";

/** A completion script for bash. If no word of the command matches, the shell completes file names. */
export function writeBashCompletion(commands: readonly Completable[]): string {
    const paths = commands.filter(({ path }) => path !== "").map(({ path }) => quoteWord(pathPattern(path)));
    return `_static_export() {
    local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" path="" each words
    for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$path $each" in
            ${paths.join(" | ")}) path="\${path:+$path }$each" ;;
        esac
    done
    case "$path $previous" in
${valueCases(commands)}
    esac
    case "$path" in
${commands.map(wordCase).join("\n")}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _static_export static-export
`;
}

/** The same script for zsh, which can load bash completions. */
export function writeZshCompletion(commands: readonly Completable[]): string {
    return `#compdef static-export\nautoload -U +X bashcompinit && bashcompinit\n${writeBashCompletion(commands)}`;
}

/** Returns the words of the parent command, if any, then a space and the last word. */
function pathPattern(path: string): string {
    const words = path.split(" ");
    return `${words.slice(0, -1).join(" ")} ${words.at(-1)}`;
}

function valueCases(commands: readonly Completable[]): string {
    return commands
        .flatMap(({ path, options }) =>
            options
                .filter(({ takesValue }) => takesValue)
                .map(({ name, choices }) => {
                    const reply =
                        choices.length === 0 ? "()" : `($(compgen -W ${quoteWord(choices.join(" "))} -- "$word"))`;
                    return `        ${quoteWord(`${path} ${name}`)}) COMPREPLY=${reply}; return ;;`;
                }),
        )
        .join("\n");
}

function wordCase({ path, subcommands, options }: Completable): string {
    const words = [...subcommands, ...options].map(({ name }) => name).join(" ");
    return `        ${quoteWord(path)}) words=${quoteWord(words)} ;;`;
}
