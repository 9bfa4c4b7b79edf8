import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { writeDotnetProject } from "../../../../dev/release/artifacts/dotnet-project.js";
import schema from "../../../../plugin/src/schema.json" with { type: "json" };
import { buildVersion } from "../../../../dev/release/names/build-version.js";
import { PluginFolder } from "../support/plugin-folder.js";

/** Generates C# code but does not compile it, because the C# host needs .NET, which Debian lacks. */
describe("the plugin's generated package", () => {
    let plugin: PluginFolder;
    let sdk: string;

    before(async () => {
        plugin = await PluginFolder.create();
        sdk = await plugin.generateSdk("dotnet");
    });
    after(() => plugin.remove());

    it("contains every resource in C#", async () => {
        for (const token of Object.keys(schema.resources)) {
            const code = await readFile(join(sdk, `${token.split(":").at(-1)}.cs`), "utf8");
            assert.match(code, /namespace ExampleOwner\.StaticExport\b/);
            assert.ok(code.includes(`ResourceType("${token}")`), token);
        }
    });

    it("becomes a project with the release's version, licence and icon in C#", async () => {
        writeDotnetProject(plugin.folder, sdk);
        const read = (name: string) => readFile(join(plugin.folder, "dotnet", name));
        const project = (await read("ExampleOwner.StaticExport.csproj")).toString();
        assert.ok(project.includes(`<Version>${buildVersion()}</Version>`), project);
        assert.match(project, /<PackageLicenseExpression>Apache-2\.0<.*\n.*github\.com\/example--owner\//);
        assert.match(project, /<PackageIcon>logo\.png</);
        assert.equal((await read("logo.png")).toString("latin1", 1, 4), "PNG");
    });

    it("allows TypeScript to compile the schema's examples", async () => {
        const index = join(await plugin.generateSdk("nodejs"), "index.ts");
        const examples = join(plugin.folder, "examples");
        await mkdir(examples);
        await symlink(
            fileURLToPath(new URL("../../../../node_modules", import.meta.url)),
            join(plugin.folder, "node_modules"),
        );
        const files = Object.entries<{ description: string }>({ ...schema.resources, ...schema.functions }).map(
            async ([token, { description }]) => {
                const file = join(examples, `${token.split(":").at(-1)}.ts`);
                await writeFile(file, /^```typescript\n(.*?)^```$/ms.exec(description)?.[1] ?? "no example");
                return file;
            },
        );
        const program = ts.createProgram(await Promise.all(files), {
            noEmit: true,
            strict: true,
            skipLibCheck: true,
            module: ts.ModuleKind.NodeNext,
            paths: { "@example--owner/static-export": [index] },
            types: ["node"],
            typeRoots: [join(plugin.folder, "node_modules", "@types")],
        });
        const errors = ts.getPreEmitDiagnostics(program).map(({ messageText, file }) => [file?.fileName, messageText]);
        assert.deepEqual(errors, []);
    });
});
