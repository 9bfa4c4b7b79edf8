import { writeFile } from "node:fs/promises";
import { writers } from "../../../../exporter/src/api/openapi/code-writers.js";
import { withFolder } from "../../support/site-fixture.js";
import { assertReceived, captureRequests, sentFile } from "../../support/requests/received-request.js";
import { requestsTo } from "../../support/requests/requests-to.js";
import { isInstalled, runAll, runners } from "../../support/requests/run-code.js";

describe("The printed code for every kind of parameter, body and credential", function () {
    this.timeout(300_000);
    for (const [language, runner] of Object.entries(runners)) {
        it(`sends the request of the model, run in ${language}`, async function () {
            if (!(await isInstalled(runner))) {
                console.log(`    skipped: ${runner.isInstalled.join(" ")} fails here`);
                this.skip();
            }
            const write = writers[language as keyof typeof writers];
            let sent: ReturnType<typeof requestsTo> = [];
            const received = await captureRequests(async (address) => {
                sent = requestsTo(address);
                const codes = sent.map(({ request }) => write(request).code);
                await withFolder(async (folder) => {
                    await writeFile(`${folder}/file`, sentFile);
                    await runAll(runner, codes, folder);
                });
            });
            assertReceived(sent, received);
        });
    }
});
