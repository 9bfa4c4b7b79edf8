import assert from "node:assert/strict";
import {
    encrypted,
    passphraseProvider,
    redact,
    resource,
    stackCrypter,
    stateOf,
    urnOf,
} from "./support/stack-states.js";

const link = "https://bundles.example.com/se_1.tar.gz?expires=1795179600&signature=5ignature";
const earlierLink = `${link}-of-another-length`;
const key = "admin_0123456789abcdef";
const configuration = `encryptionsalt: ${stackCrypter.salt}
config:
  static-export:adminApiKey:
    secure: ${stackCrypter.encrypt(key)}
`;

const bundle = resource("bundle", "docs", {
    inputs: { domain: "docs.example.com" },
    outputs: { domain: "docs.example.com", bundleUrl: encrypted(link) },
});
const mirror = resource("mirror", "docs", { inputs: {}, outputs: { url: encrypted(`${link}&mirror=1`) } });
const provider = (secret: string) => {
    const inputs = { "static-export:adminApiKey": encrypted(secret), "static-export:baseUrl": "https://example.com" };
    return resource("provider", "default", { inputs, outputs: inputs });
};
const release = (source: "bundle" | "mirror", bundleUrl: string) => {
    const inputs = { atomic: true, values: { staticExport: { enabled: true, bundleUrl: encrypted(bundleUrl) } } };
    return resource("release", "docs", {
        inputs,
        outputs: { ...inputs, __inputs: encrypted(inputs) },
        propertyDependencies: { values: [urnOf(source, "docs")] },
    });
};
const redactUnread = (resources: object[], options = {}) => redact(stateOf(resources, passphraseProvider), options);

/** Secrets whose plain text is unknown because no passphrase is given. */
describe("a redacted state whose secrets cannot be decrypted", () => {
    it("uses the same placeholder for a bundle's link and for the Release that depends on the bundle", () => {
        const { resources, state } = redactUnread([bundle, release("bundle", link)]);
        const placeholder: string = resources[0]?.outputs?.["bundleUrl"] ?? "";
        assert.match(placeholder, /^https:\/\/redacted-\d+\.invalid\/\?signature=/);
        assert.deepEqual(resources[1]?.inputs?.["values"], { staticExport: { enabled: true, bundleUrl: placeholder } });
        assert.doesNotMatch(JSON.stringify(state), new RegExp(stackCrypter.salt.replace(/[+/]/g, "\\$&")));
    });

    it("uses the mirror's link for a Release that depends on a mirror", () => {
        const [, mirrored, helm] = redactUnread([bundle, mirror, release("mirror", `${link}&mirror=1`)]).resources;
        assert.deepEqual(helm?.inputs?.["values"], {
            staticExport: { enabled: true, bundleUrl: mirrored?.outputs?.["url"] },
        });
    });

    it("uses a different link for a Release whose older link has another length, so that Pulumi shows a diff", () => {
        const [docs, helm] = redactUnread([bundle, release("bundle", earlierLink)]).resources;
        const { staticExport } = helm?.inputs?.["values"] as unknown as { staticExport: { bundleUrl: string } };
        assert.match(staticExport.bundleUrl, /^https:\/\/redacted-\d+\.invalid/);
        assert.notEqual(staticExport.bundleUrl, docs?.outputs?.["bundleUrl"]);
    });

    it("contains a redacted copy of the inputs if a provider stores a copy", () => {
        const [, helm] = redactUnread([bundle, release("bundle", link)]).resources;
        assert.deepEqual(helm?.outputs?.["__inputs"], helm?.inputs);
    });

    it("uses the configuration's placeholder for a provider with the configured key", () => {
        const { resources, configuration: redacted } = redactUnread([provider(key)], { configuration });
        assert.deepEqual(resources[0]?.inputs, resources[0]?.outputs);
        assert.match(resources[0]?.inputs?.["static-export:adminApiKey"] ?? "", /^redacted-1$/);
        assert.match(redacted ?? "", /secure: "v1:/);
    });

    it("uses a different placeholder for a provider with a different key", () => {
        const same = redactUnread([provider(key), provider(`${key}0`)], { configuration }).resources;
        assert.notDeepEqual(same[0]?.inputs, same[1]?.inputs);
    });

    it("uses a placeholder for every secret stack output, and the link's placeholder for an output with the link", () => {
        const outputs = { bundleUrl: encrypted(link), other: encrypted({ a: "secret" }) };
        const [docs, stack] = redactUnread([bundle, resource("stack", "docs-dev", { outputs })]).resources;
        assert.equal(stack?.outputs?.["bundleUrl"], docs?.outputs?.["bundleUrl"]);
        assert.match(stack?.outputs?.["other"] ?? "", /^redacted-\d+$/);
    });

    it("is refused if a secret has an unknown format, and the error names the secret", () => {
        const inputs = { values: { password: encrypted("s3cr3t") } };
        assert.throws(
            () => redactUnread([resource("release", "docs", { inputs })]),
            /Release docs: values\.password is encrypted, and its format is not known\. Set PULUMI_CONFIG_PASSPHRASE/,
        );
    });

    it("is refused if a setting has an unknown format, and the error names the setting", () => {
        const text = configuration.replace("static-export:adminApiKey", "docs:replicas");
        assert.throws(
            () => redactUnread([], { configuration: text }),
            /the format of the settings \["docs:replicas"\] is not known/,
        );
    });

    for (const type of ["service", "cloud"]) {
        it(`is the same for the secrets provider ${type}, which stores its key elsewhere`, () => {
            const fields = { secrets_providers: { type, state: { url: "awskms://key" } } };
            const [docs] = redact(stateOf([bundle], fields), { passphrase: "of no use here" }).resources;
            assert.match(docs?.outputs?.["bundleUrl"] ?? "", /^https:\/\/redacted/);
        });
    }
});
