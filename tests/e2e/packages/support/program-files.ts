import { domain } from "../../support/platform.js";
import { type ProgramStyle } from "./combination.js";

interface ProgramFiles {
    files: Record<string, string>;
    /** The default dependencies are added, unless the manifest lists its own dependencies. */
    manifest: { dependencies?: Record<string, string> } & Record<string, unknown>;
    /** Whether to compile before Pulumi runs. */
    compiled?: boolean;
}

const declaration = (how: "export" | "exports") =>
    `const bundle = new StaticExportBundle("docs", { domain: "${domain}", version: process.env.DOCS_VERSION });\n` +
    (how === "export" ? "export const jobId = bundle.jobId;\n" : "exports.jobId = bundle.jobId;\n");

const script = `import { StaticExportBundle } from "pulumi-static-export";\n\n${declaration("export")}`;
const required = `const { StaticExportBundle } = require("pulumi-static-export");\n\n${declaration("exports")}`;
/** The package's sub-paths, which a compiler must also find. */
const typed =
    `import { StaticExportBundle } from "pulumi-static-export";\n` +
    `import type { DeploymentType } from "pulumi-static-export/site";\n\n` +
    `export const deploymentType: DeploymentType = "client-hosted";\n${declaration("export")}`;

function tsconfig(options: Record<string, unknown>): string {
    const compilerOptions = { target: "es2020", strict: true, skipLibCheck: true, types: ["node"], ...options };
    return JSON.stringify({ compilerOptions, files: ["index.ts"] });
}

const templateCompilerOptions = {
    strict: true,
    outDir: "bin",
    target: "es2020",
    module: "nodenext",
    moduleResolution: "nodenext",
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
};

/** The files that `pulumi new` writes, with a user's additions. */
const templates = {
    typescript: {
        files: {
            "index.ts": `import * as pulumi from "@pulumi/pulumi";\n${typed}`,
            "tsconfig.json": JSON.stringify({ compilerOptions: templateCompilerOptions, files: ["index.ts"] }),
        },
        manifest: {
            main: "index.ts",
            devDependencies: { "@types/node": "^18", typescript: "^5.0.0" },
            dependencies: { "@pulumi/pulumi": "^3.113.0" },
        },
    },
    javascript: {
        files: {
            "Pulumi.yaml": "name: user\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
            "index.js": `"use strict";\nconst pulumi = require("@pulumi/pulumi");\n${required}`,
        },
        manifest: { main: "index.js", dependencies: { "@pulumi/pulumi": "^3.0.0" } },
    },
};

export function programFiles(style: ProgramStyle, typescript: string | undefined): ProgramFiles {
    switch (style) {
        case "TypeScript, nodenext":
            return typeScript({ module: "nodenext", moduleResolution: "nodenext" });
        case "TypeScript, node10": {
            // From TypeScript 6 on, the compiler requires `ignoreDeprecations` in every program that still uses `node`
            // resolution.
            const silenced = typescript?.startsWith("6.") ? { ignoreDeprecations: "6.0" } : {};
            return typeScript({ module: "commonjs", moduleResolution: "node", ...silenced });
        }
        case "TypeScript, no tsconfig":
            return { files: { "index.ts": script }, manifest: { main: "index.ts" } };
        case "TypeScript, bundler, compiled":
            return {
                files: {
                    "index.ts": typed,
                    "tsconfig.json": tsconfig({ module: "esnext", moduleResolution: "bundler", outDir: "bin" }),
                },
                manifest: { main: "bin/index.js", type: "module" },
                compiled: true,
            };
        case "TypeScript, ES modules":
            return {
                files: {
                    "index.ts": typed,
                    "tsconfig.json": tsconfig({ module: "nodenext", moduleResolution: "nodenext" }),
                },
                manifest: { main: "index.ts", type: "module" },
            };
        case "JavaScript, CommonJS":
            return { files: { "index.js": required }, manifest: { main: "index.js" } };
        case "JavaScript, .mjs":
            return { files: { "index.mjs": script }, manifest: { main: "index.mjs" } };
        case "Pulumi's template typescript":
            return templates.typescript;
        case "Pulumi's template javascript":
            return templates.javascript;
        case "JavaScript, ES modules":
            return { files: { "index.js": script }, manifest: { main: "index.js", type: "module" } };
    }
}

function typeScript(options: Record<string, unknown>): ProgramFiles {
    return { files: { "index.ts": typed, "tsconfig.json": tsconfig(options) }, manifest: { main: "index.ts" } };
}
