import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { root } from "./documents.js";

export interface ComponentJob {
    script: string[];
    variables?: Record<string, string>;
    artifacts?: { paths: string[] };
}

/**
 * Reads the jobs of templates/preview.yml as GitLab includes them, with these inputs and the defaults of all other
 * inputs.
 */
export function readComponent(given: Record<string, string>): { text: string; jobs: Record<string, ComponentJob> } {
    const source = readFileSync(join(root, "templates", "preview.yml"), "utf8");
    const [header] = parseAllDocuments(source);
    const { spec } = header?.toJS() as { spec: { inputs: Record<string, { default?: string }> } };
    const text = source
        .slice(source.indexOf("\n---\n") + 5)
        .replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
            const value = given[name] ?? spec.inputs[name]?.default;
            if (value === undefined) {
                throw new Error(`The component's input ${name} has no value`);
            }
            return value.startsWith("@") || value === "" ? JSON.stringify(value) : value;
        });
    return { text, jobs: parse(text) as Record<string, ComponentJob> };
}
