import { cpSync, mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { ensureTool, run } from "@pulumi-static-export/toolchain";
import { containerSteps } from "./container-steps.js";
import { RehearsalProject } from "./rehearsal-project.js";
import { buildImage } from "./image.js";
import { writeSboms } from "./sboms.js";
import { startChartRegistry } from "./registries.js";
const folder = "/tmp/d1/rel";
const owner = "rehearsal-owner";
for (const d of ["npm", "plugin", "python", "maven", "charts"]) mkdirSync(`${folder}/${d}`, { recursive: true });
cpSync("/tmp/d1/pk/pulumi-static-export-cli-0.2.0.tgz", `${folder}/npm/pulumi-static-export-cli-0.2.0.tgz`);
const helm = await ensureTool("helm");
for (const c of ["documentation-site", "documentation-sites", "static-export-service"]) await run(helm, ["package", `charts/${c}`, "-d", `${folder}/charts`]);
console.log(new Date(), "image"); await buildImage(folder, "0.2.0");
console.log(new Date(), "sboms"); await writeSboms(folder, "0.2.0");
const registry = await startChartRegistry("/tmp/d1/rel-reg");
const env = { ...(process.env as Record<string,string>), PATH: [dirname(helm), dirname(await ensureTool("cosign")), process.env["PATH"]].join(delimiter) };
const project = new RehearsalProject("/tmp/d1/rel-project", env);
try {
    for (const [name, action] of Object.entries(containerSteps({ folder, owner, version: "0.2.0" }, `${registry.url.replace("http://", "")}/${owner}`, project))) {
        console.log(new Date(), name); await action();
    }
    console.log(new Date(), "done");
} finally { await registry.stop(); }
