import { type Completable } from "./command-tree.js";

/** A completion script for fish. */
export function writeFishCompletion(commands: readonly Completable[]): string {
    const lines = commands.flatMap(({ path, subcommands, options }) => {
        const condition = conditionOf(
            path,
            subcommands.map(({ name }) => name),
        );
        return [
            ...subcommands.map(
                ({ name, description }) =>
                    `complete -c static-export -f -n ${quote(condition)} -a ${name} -d ${quote(description)}`,
            ),
            ...options.map(({ name, description, takesValue, choices }) => {
                const values = choices.length === 0 ? "" : ` -x -a ${quote(choices.join(" "))}`;
                const value = takesValue ? ` -r${values}` : "";
                return `complete -c static-export -n ${quote(condition)} -l ${name.slice(2)}${value} -d ${quote(description)}`;
            }),
        ];
    });
    return `${lines.join("\n")}\n`;
}

function conditionOf(path: string, subcommands: readonly string[]): string {
    const seen = path.split(" ").filter(Boolean);
    const none = subcommands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${subcommands.join(" ")}`];
    return [...seen.map((word) => `__fish_seen_subcommand_from ${word}`), ...none].join("; and ") || "true";
}

function quote(text: string): string {
    return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
