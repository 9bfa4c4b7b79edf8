import assert from "node:assert/strict";
import { createCleaner } from "../../../cli/src/report/clean-text.js";
import { renderJson, createWritableReport } from "../../../cli/src/report/write-report.js";
import { renderMarkdown } from "../../../cli/src/report/markdown.js";
import { eventsOf, logAnd, logWith } from "./support/events.js";
import { markdownOf, readFixture, reportOf } from "./support/golden.js";

const link = "https://bundles.example.com/se_1.tar.gz?X-Amz-Signature=0123456789abcdef";

async function everyForm(log: string): Promise<string> {
    const { report, clean } = await reportOf(log);
    return renderMarkdown(report, clean) + renderJson(report, clean, {});
}

function error(message: string): object {
    return { diagnosticEvent: { severity: "error", message } };
}

describe("The preview report", () => {
    const shapes: Record<string, [string, RegExp]> = {
        "the query of a presigned link": [`GET ${link} answered 403`, /Signature|0123456789abcdef/],
        "credentials in an address": ["clone https://user:hunter2hunter@git.example.com/a", /hunter2/],
        "a bearer token": ["Authorization: Bearer abcdef0123456789", /abcdef0123456789/],
        "a JSON web token": ["got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", /eyJ|c2ln/],
        "a key of the platform": ["the key mint_0123456789abcdef was refused", /0123456789abcdef/],
        "a token of GitHub": ["ghs_0123456789abcdefABCDEF", /ghs_0123/],
        "a token of GitLab": ["glpat-0123456789abcdefABCD", /glpat-0123/],
        "an access key of AWS": ["AKIAIOSFODNN7EXAMPLE", /AKIA/],
        "a password in a message": ['{"password": "correct-horse-battery"}', /correct-horse/],
        "a client key of a kubeconfig": ["client-key-data: LS0tLS1CRUdJTiBSU0E", /LS0tLS1/],
        "a private key": ["-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----", /MIIEv/],
        "the code of a dynamic provider": ["bad: exports.handler = __f0;\nvar __provider = {}", /__provider|__f0/],
    };
    for (const [what, [message, secret]] of Object.entries(shapes)) {
        it(`hides ${what} in an error and in a rule's message`, async () => {
            const policyEvent = { policyName: "rule", policyPackName: "pack", message };
            const text = await everyForm(await logAnd("version", error(message), { policyEvent }));
            assert.doesNotMatch(text, secret);
        });
    }

    it("hides the state's secrets everywhere in a log that was written with --show-secrets", async () => {
        const plaintext = JSON.stringify({ nested: ["hidden-in-state"] });
        const log = await logWith("version", (text) => text);
        const shown = log.replaceAll('"ciphertext":"[secret]"', `"plaintext":${JSON.stringify(plaintext)}`);
        const summary = '{"summaryEvent":';
        const failed = shown.replace(summary, `${JSON.stringify(error("lost hidden-in-state"))}\n${summary}`);
        assert.doesNotMatch(await everyForm(failed), /hidden-in-state/);
    });

    it("hides the secrets in environment variables", async () => {
        const events = (await eventsOf("nothing")).concat(error("the key was e2e-passphrase"));
        const env = { PULUMI_CONFIG_PASSPHRASE: "e2e-passphrase" };
        const { report, clean } = createWritableReport({ events, isCut: false }, {}, env);
        assert.doesNotMatch(renderMarkdown(report, clean), /e2e-passphrase/);
    });

    it("shows a secret domain or version as [secret]", async () => {
        const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" };
        const log = (await readFixture("version")).replaceAll('"version":"2"', `"version":${JSON.stringify(secret)}`);
        assert.match(await markdownOf(log), /`1` → `\[secret\]`/);
    });

    it("does not change text without a secret", () => {
        const text = "https://docs.example.com/start: the token of the page is missing, see pass 2";
        assert.equal(createCleaner([])(text), text);
    });
});

describe("An admin API key in the configuration", () => {
    const key = "mint_0123456789abcdef";
    const inClear = async (name: string): Promise<string> =>
        logWith(name, (text) => (text === "[secret]" ? key : text));

    it("is reported with the next step if it is in plain text, but is not printed", async () => {
        const text = await everyForm(await inClear("version"));
        assert.match(text, /\*\*The admin API key is in plain text in the stack's configuration\*\*/);
        assert.match(text, /`pulumi config set --secret static-export:adminApiKey`/);
        assert.match(text, /"hasClearAdminKey": true/);
        assert.doesNotMatch(text, new RegExp(key));
    });

    it("is reported if it is in plain text, even if the preview changes nothing", async () => {
        const text = await everyForm(await inClear("nothing"));
        assert.match(text, /is in plain text/);
    });

    it("is not reported if it is a secret", async () => {
        assert.doesNotMatch(await everyForm(await readFixture("version")), /is in plain text|"hasClearAdminKey": true/);
    });
});
