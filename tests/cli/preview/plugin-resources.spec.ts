import assert from "node:assert/strict";
import { eventsOf, linesOf, logWith } from "./support/events.js";
import { markdownOf, readFixture } from "./support/golden.js";

const dynamicModule = "pulumi-nodejs:dynamic/static-export:";
const pluginModule = "static-export:index:";
const asPlugin = (text: string) => text.replaceAll(dynamicModule, pluginModule);

describe("The preview report with the plugin's resources", () => {
    for (const name of ["create", "version", "domain", "renewal", "mirror", "delete", "adopt", "resume"]) {
        it(`equals the report for the dynamic resources: ${name}`, async () => {
            const dynamic = await markdownOf(linesOf(await eventsOf(name)));
            assert.equal(await markdownOf(await logWith(name, asPlugin)), asPlugin(dynamic));
        });
    }
});

describe("The preview report with a StaticExportJob", () => {
    for (const module of [dynamicModule, pluginModule]) {
        it(`names the export that it starts: ${module}`, async () => {
            const log = await readFixture("create");
            const started = log.replaceAll(`${dynamicModule}StaticExportBundle`, `${module}StaticExportJob`);
            assert.match(await markdownOf(started), /\| `docs` \| `docs.example.com` \| `1` \| a new export job \|/);
        });
    }
});
