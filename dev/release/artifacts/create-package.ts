import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface CommandManifest {
    readonly name: string;
    readonly version: string;
    readonly license: string;
    readonly author: string;
    readonly homepage: string;
    readonly repository: object;
    readonly engines: object;
}

/** Runs the command's `create`, which later starts the command itself again. */
const program = `#!/usr/bin/env node
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const [command] = Object.keys(require("../package.json").dependencies);
process.argv.splice(1, 1, require.resolve(\`\${command}/bin\`), "create");
await import(\`\${command}/bin\`);
`;

/**
 * Writes the package that `npm create @OWNER/static-export` runs, because npm adds `create-` to the name.
 *
 * @param command - the folder of the command's package, in the version that the new package starts
 */
export function writeCreatePackage(folder: string, command: string, owner: string | undefined): void {
    const { name, version, license, author, homepage, repository, engines } = JSON.parse(
        readFileSync(join(command, "package.json"), "utf8"),
    ) as CommandManifest;
    const manifest = {
        name: owner === undefined ? "@pulumi-static-export/create" : `@${owner}/create-static-export`,
        version,
        description: "Starts a documentation site, a Pulumi project that exports one, or a service",
        ...{ license, author, homepage, repository, engines, type: "module" },
        bin: { "create-static-export": "bin/create-static-export.js" },
        dependencies: { [name]: version },
    };
    mkdirSync(join(folder, "bin"), { recursive: true });
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
    writeFileSync(join(folder, manifest.bin["create-static-export"]), program, { mode: 0o755 });
    writeFileSync(join(folder, "README.md"), `# ${manifest.name}\n\nRuns \`static-export create\` of ${name}.\n`);
    cpSync(join(command, "LICENSE"), join(folder, "LICENSE"));
}
