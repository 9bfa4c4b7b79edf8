import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { addCommand } from "./package-manager.js";
import { shellWord } from "./shell-words.js";

/**
 * Returns the command that installs packages where this program can import them: with the program, which may be
 * installed globally or by npx.
 *
 * @param program - for specs, the file that Node.js runs
 * @param cwd - for specs
 */
export function installationOf(
    packages: readonly string[],
    program: string = ownProgram(),
    cwd: string = process.cwd(),
): string {
    const at = program.indexOf(`${sep}node_modules${sep}`);
    const project = program.slice(0, Math.max(at, 0));
    if (at === -1 || `${cwd}${sep}`.startsWith(`${project}${sep}`)) {
        return addCommand(cwd, packages);
    }
    const names = packages.join(" ");
    if (project.includes(`${sep}_npx${sep}`)) {
        return `npm install --prefix ${shellWord(project)} ${names}`;
    }
    return project.includes(`${sep}pnpm${sep}`) ? `pnpm add --global ${names}` : `npm install --global ${names}`;
}

/**
 * Waits for an import of packages that only some users install.
 *
 * @throws the error `missing` if they are not installed
 */
export async function orMissing<T>(loading: Promise<T>, missing: () => Error): Promise<T> {
    try {
        return await loading;
    } catch (error) {
        const { code } = error as { code?: unknown };
        throw code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" ? missing() : error;
    }
}

/** npm links to installed commands. */
function ownProgram(): string {
    const [, program = ""] = process.argv;
    try {
        return realpathSync(program);
    } catch {
        return program;
    }
}
