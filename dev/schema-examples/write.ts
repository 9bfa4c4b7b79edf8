/**
 * npm run schema-examples: translates the examples in plugin/examples/ into every language, for the descriptions of the
 * plugin's schema. Pulumi's own generators translate the examples from YAML, and check inputs and outputs against the
 * schema.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { findGo, run, withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { pclOf, type YamlProgram } from "./pcl.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const schemaFile = join(root, "plugin", "src", "schema.json");
const examples = join(root, "plugin", "examples");
const languages = ["typescript", "python", "go", "csharp", "java"];

await withTemporaryFolder("static-export-examples-", async (work) => {
    const names = readdirSync(examples).map((file) => basename(file, ".yaml"));
    const yamlOf = (name: string) => readFileSync(join(examples, `${name}.yaml`), "utf8");
    for (const name of names) {
        writeFileSync(join(work, `${name}.pp`), pclOf(parse(yamlOf(name)) as YamlProgram));
    }
    const schema = JSON.parse(readFileSync(schemaFile, "utf8")) as object;
    writeFileSync(join(work, "schema.json"), JSON.stringify({ ...schema, version: "1.0.0" }));
    await run(await findGo("the examples in every language"), ["run", "./programs", join(work, "schema.json"), work], {
        cwd: join(root, "dev", "toolchain", "go", "pulumi-sdk-generator"),
    });
    const described = names.map((name) => {
        const programs = languages.map((each) =>
            block(each, withBasePackage(readFileSync(join(work, `${name}.${each}`), "utf8"))),
        );
        return [name, section([...programs, block("yaml", yamlOf(name))])];
    });
    writeFileSync(
        join(root, "plugin", "examples.json"),
        `${JSON.stringify(Object.fromEntries(described), undefined, 2)}\n`,
    );
});

/** Corrects the package of imports, because the Java generator uses the schema's base package only for resources. */
function withBasePackage(program: string): string {
    return program.replaceAll("import com.pulumi.staticexport.", "import io.github.exampleowner.staticexport.");
}

function block(language: string, program: string): string {
    return `\`\`\`${language}\n${program.trim()}\n\`\`\`\n`;
}

/**
 * Formats examples as Pulumi expects them, so that each generated package contains only the example in its language.
 */
function section(blocks: readonly string[]): string {
    return `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`;
}
