import { spawn } from "node:child_process";
import { basename } from "node:path";

/** The arguments with which graphical editors open a file at a line. */
const editors: readonly (readonly [name: RegExp, args: (file: string, line: number) => string[]])[] = [
    [/^(?:code|code-insiders|codium|vscodium|cursor|windsurf|positron)$/, (file, line) => ["-g", `${file}:${line}`]],
    [/^(?:zed|zeditor|subl|sublime_text|atom)$/, (file, line) => [`${file}:${line}`]],
    [
        /^(?:idea|webstorm|phpstorm|pycharm|rubymine|goland|clion|rider|rustrover)(?:64)?$/,
        (file, line) => ["--line", String(line), file],
    ],
    [/^(?:gvim|mvim|emacs|emacsclient|gedit)$/, (file, line) => [`+${line}`, file]],
    [/^kate$/, (file, line) => ["-l", String(line), file]],
];

const howToChoose = "Set VISUAL to the command of an editor with a window, such as VISUAL=code, and start dev again.";

/**
 * Starts the author's editor: VISUAL, EDITOR, or Visual Studio Code in its own terminal.
 * @returns the reason if that is not possible
 */
export async function openInEditor(
    file: string,
    line: number | undefined,
    env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
    const command = env["VISUAL"] || env["EDITOR"] || (env["TERM_PROGRAM"] === "vscode" ? "code" : "");
    const [program = "", ...given] = command.split(" ").filter((word) => word !== "");
    if (program === "") {
        return `No editor is set. ${howToChoose}`;
    }
    const name = basename(program).replace(/\.(?:exe|cmd)$/i, "");
    const [, argsFor] = editors.find(([pattern]) => pattern.test(name)) ?? [];
    if (argsFor === undefined) {
        return `${name} is not an editor that this command can open. ${howToChoose}`;
    }
    // Removes options that make the command wait until the file is closed.
    const args = [...given.filter((arg) => !/^(?:-w|--wait)$/.test(arg)), ...argsFor(file, line ?? 1)];
    return new Promise((resolve) => {
        const child = spawn(program, args, { stdio: "ignore", detached: true });
        child.on("error", () => resolve(`${program} cannot be started. ${howToChoose}`));
        child.on("spawn", () => {
            child.unref();
            resolve(undefined);
        });
    });
}
