import { parse } from "yaml";

interface YamlResource {
    readonly type: string;
    readonly name?: string;
    readonly properties?: Readonly<Record<string, unknown>>;
}

interface YamlProgram {
    readonly config: Readonly<Record<string, object>>;
    readonly resources: Readonly<Record<string, YamlResource>>;
}

/**
 * Converts a YAML program to TypeScript, because the engine needs a cloud's plugin to check YAML, but the compiler
 * needs only the cloud's SDK. Supports the parts of YAML that the examples use.
 */
export function toTypeScript(text: string): string {
    const { config, resources } = parse(text) as YamlProgram;
    const declared = new Set<string>();
    const lines = [
        'import { readFileSync } from "node:fs";',
        'import * as aws from "@pulumi/aws";',
        'import * as pulumi from "@pulumi/pulumi";',
        'import * as staticExport from "pulumi-static-export";',
        "const config = new pulumi.Config();",
        ...Object.keys(config).map((key) => `const ${nameOf(key)} = config.require("${key}");`),
    ];
    const declare = (key: string) => {
        if (declared.has(key)) {
            return;
        }
        declared.add(key);
        const { type, name = key, properties = {} } = resources[key]!;
        for (const needed of Object.keys(resources)) {
            // Declares a resource before the resources that refer to its properties.
            if (JSON.stringify(properties).includes(`\${${needed}.`)) {
                declare(needed);
            }
        }
        const constructor = type.replace("static-export:", "staticExport.").replaceAll(":", ".");
        lines.push(`const ${nameOf(key)} = new ${constructor}("${name}", ${toCode(properties)});`);
    };
    Object.keys(resources).forEach(declare);
    return `${lines.join("\n")}\n`;
}

function nameOf(key: string): string {
    return `the_${key}`;
}

function toCode(value: unknown): string {
    if (typeof value === "string") {
        return textToCode(value);
    }
    if (Array.isArray(value)) {
        return `[${value.map(toCode).join(", ")}]`;
    }
    if (typeof value !== "object" || value === null) {
        return JSON.stringify(value);
    }
    const [[first, argument] = []] = Object.entries(value) as [string, unknown][];
    if (first === "fn::readFile") {
        // The path is relative to the folder of the YAML file.
        return `readFileSync(${toCode(`yaml/${String(argument)}`)}, "utf8")`;
    }
    if (first === "fn::toJSON") {
        return `pulumi.jsonStringify(${toCode(argument)})`;
    }
    return `{ ${Object.entries(value)
        .map(([key, each]) => `${JSON.stringify(key)}: ${toCode(each)}`)
        .join(", ")} }`;
}

function textToCode(text: string): string {
    const reference = /\$\{([^}]+)\}/g;
    const parts = text.split(reference);
    if (parts.length === 1) {
        return JSON.stringify(text);
    }
    if (parts.length === 3 && parts[0] === "" && parts[2] === "") {
        return nameOf(parts[1]!);
    }
    return `pulumi.interpolate\`${text.replace(reference, (_, path: string) => `\${${nameOf(path)}}`)}\``;
}
