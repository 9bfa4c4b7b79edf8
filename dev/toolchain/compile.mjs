/**
 * Compiles the sources of each workspace one by one, without checking types: `npm run lint` does that, and only
 * `npm run pack` needs declarations. Compiling takes a tenth of the CPU time of `tsc -b`. Compiles all other
 * code, so it is plain JavaScript.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * @param {string} root - the checkout, with its dependencies installed
 * @returns {Promise<boolean>} whether everything compiles; if not, the errors have been printed
 */
export async function compileWorkspaces(root) {
    const { workspaces } = readJson(join(root, "package.json"));
    const all = workspaces
        .map((folder) => ({ folder: join(root, folder), ...readJson(join(root, folder, "package.json")) }))
        .map((workspace) => ({ ...workspace, sources: staleSources(root, workspace.folder, workspaces) }));
    const stale = all.filter(({ sources }) => sources.length > 0);
    const compiled = await Promise.all([
        compilePrograms(stale.filter(({ type }) => type === "module")),
        compileLibraries(stale.filter(({ type }) => type !== "module")),
    ]);
    if (compiled.includes(false)) {
        return false;
    }
    // A change affects all workspaces, because declarations from `npm run pack` refer to declarations of the changed
    // workspace.
    for (const workspace of stale.length > 0 ? all : []) {
        pointTypesAtSources(workspace);
    }
    return true;
}

/** Lists the sources that have changed, or whose compiler settings have changed, since they were compiled. */
function staleSources(root, workspace, workspaces) {
    const setup = [
        join(workspace, "tsconfig.json"),
        ...["tsconfig.base.json", "package-lock.json", "dev/toolchain/compile.mjs"].map((file) => join(root, file)),
        // Compiled imports of another workspace contain the path that its package.json exports.
        ...workspaces.map((folder) => join(root, folder, "package.json")),
    ].map(modifiedAt);
    const src = join(workspace, "src");
    return readdirSync(src, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((source) => modifiedAt(outputOf(workspace, source)) < Math.max(modifiedAt(source), ...setup));
}

async function compilePrograms(workspaces) {
    if (workspaces.length === 0) {
        return true;
    }
    const { build } = await import("esbuild");
    const entryPoints = workspaces.flatMap(({ folder, sources }) =>
        sources.map((source) => ({ in: source, out: outputOf(folder, source).slice(0, -".js".length) })),
    );
    const options = { format: "esm", platform: "node", target: "es2022", sourcemap: true, logLevel: "error" };
    return build({ ...options, entryPoints, outdir: sep }).then(
        () => true,
        () => false,
    );
}

/**
 * Compiles with TypeScript, which keeps the layout of functions: users' states contain the text of the provider's
 * functions.
 */
async function compileLibraries(workspaces) {
    if (workspaces.length === 0) {
        return true;
    }
    const { default: ts } = await import("typescript");
    const withoutTypes = { noCheck: true, noResolve: true, noLib: true, types: [] };
    const withoutRecords = { composite: false, declaration: false, incremental: false, tsBuildInfoFile: undefined };
    const diagnostics = workspaces.flatMap(({ folder, sources }) => {
        const { options, errors } = ts.getParsedCommandLineOfConfigFile(join(folder, "tsconfig.json"), {}, ts.sys);
        const program = ts.createProgram(sources, { ...options, ...withoutTypes, ...withoutRecords });
        return [...errors, ...program.getSyntacticDiagnostics(), ...program.emit().diagnostics];
    });
    process.stderr.write(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
    return diagnostics.length === 0;
}

/**
 * Writes declarations that refer to the workspace's sources, for type checks until `npm run pack` writes real
 * declarations.
 */
function pointTypesAtSources({ folder, exports = {} }) {
    for (const { types } of Object.values(exports)) {
        if (types !== undefined) {
            const declarations = join(folder, types);
            const source = join(folder, types.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".js"));
            const path = relative(dirname(declarations), source).split(sep).join("/");
            mkdirSync(dirname(declarations), { recursive: true });
            writeFileSync(declarations, `export * from "${path}";\n`);
        }
    }
    // Without this deletion, TypeScript would mistake these files for its own output.
    rmSync(join(folder, "dist", ".tsbuildinfo"), { force: true });
}

function outputOf(workspace, source) {
    return join(workspace, "dist", relative(join(workspace, "src"), source).replace(/\.tsx?$/, ".js"));
}

function modifiedAt(file) {
    return existsSync(file) ? statSync(file).mtimeMs : 0;
}

function readJson(file) {
    return JSON.parse(readFileSync(file, "utf8"));
}
