import assert from "node:assert/strict";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { parse } from "yaml";
import { scaled } from "../../../scale.js";
import { redact, resource, stateOf } from "../support/stack-states.js";

const password = "c0rrect-Horse";
const key = "7Qx9mK2pLw4vRt8s";
const pem = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC${key}\n-----END PRIVATE KEY-----\n`;
const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const grafana = `glsa_${"Ab3dEf6h".repeat(4)}_0a1b2c3d`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

function redactInputs(inputs: object, type = "example:index:Thing") {
    const { resources, unmarked, unread } = redact(
        stateOf([resource("release", "docs", { type, inputs, outputs: inputs })]),
    );
    const after = resources[0]?.["inputs"] as unknown as Record<string, unknown>;
    return { text: decodedTexts(resources).join("\n"), inputs: after, unmarked, unread };
}

/** All strings in a value, also in Base64, compressed and in JSON. */
function decodedTexts(value: unknown): string[] {
    if (typeof value === "object" && value !== null) {
        return Object.values(value).flatMap(decodedTexts);
    }
    const text = String(value);
    if (/^\s*[[{].*[\]}]\s*$/s.test(text)) {
        return [text, ...decodedTexts(JSON.parse(text))];
    }
    const encoded = text.match(/[A-Za-z\d+/]{16,}=*/g) ?? [];
    const unpack = (packed: Buffer) => (packed[0] === 0x1f ? gunzipSync(packed) : packed).toString("utf8");
    return [text, ...encoded.flatMap((part) => [part, unpack(Buffer.from(part, "base64"))])];
}

const planted: Record<string, [inputs: object, secrets: string[], type?: string]> = {
    "the arguments of a command": [{ command: ["serve", "--api-key", key, `--password=${password}`] }, [key, password]],
    "a script": [
        { userData: `#!/bin/bash\nset -e\nexport API_KEY=${key}\ncurl -H "Authorization: Bearer ${key}x" x\n` },
        [key],
    ],
    "YAML in a ConfigMap": [
        { kind: "ConfigMap", data: { "app.yaml": `database:\n  host: db\n  password: ${password} # now\n` } },
        [password],
    ],
    "a comment in YAML": [{ config: `a: 1\n# password: "${password}"\nb: 2\n` }, [password]],
    "an unmarked Secret of Kubernetes": [
        {
            data: { user: base64("someb0dy"), blob: base64("\u0001\u0002binary") },
            stringData: { note: "n0body-knows" },
        },
        ["someb0dy", base64("someb0dy"), base64("\u0001\u0002binary"), "n0body-knows"],
        "kubernetes:core/v1:Secret",
    ],
    "the manifest of a Secret in an annotation": [
        { note: JSON.stringify({ kind: "Secret", stringData: { note: "n0body-knows" } }) },
        ["n0body-knows"],
    ],
    "a docker login": [
        { registryAuth: JSON.stringify({ auths: { "ghcr.io": { auth: base64(`robot:${password}`) } } }) },
        [base64(`robot:${password}`), password],
    ],
    "a private key in a file of another name": [{ files: { server: base64(pem) } }, [base64(pem), key]],
    "a private key after its certificate": [{ files: { server: `${certificate}${pem}` } }, [key]],
    "the beginning of a private key": [{ text: pem.slice(0, pem.indexOf("\n-----END")) }, [key]],
    "the beginning of PGP's private key after a certificate": [
        { text: `${certificate}-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGQ${key}\n` },
        [key],
    ],
    "a token under an ambiguous name": [{ auth: grafana }, [grafana]],
    "a token among other text": [{ description: `Use ${grafana} to read\nthe dashboards` }, [grafana]],
    "a key of an application": [{ appKey: key }, [key]],
    "the address of a database in a script": [
        { script: `set -e\npsql postgres://app:${password}@db/app\n` },
        [password],
    ],
};

/** Ways to write a setting with a secret. */
const settings: Record<string, (secret: string) => string> = {
    json: (secret) => JSON.stringify({ host: "db", password: secret }),
    list: (secret) => JSON.stringify([{ name: "DB_PASSWORD", value: secret }]),
    yaml: (secret) => `host: db\npassword: "${secret}"\n`,
    env: (secret) => `HOST=db\nDB_PASSWORD='${secret}'\n`,
    script: (secret) => `#!/bin/sh\nexport API_KEY='${secret}'\n`,
    properties: (secret) => `db.host=db\ndb.password=${secret}\n`,
    url: (secret) => `postgres://app:${encodeURIComponent(secret)}@db/app`,
    pem: (secret) => pem.replace(key, base64(secret)),
};

/** Ways to put a text into another. */
const packed: Record<string, (text: string) => string> = {
    json: (text) => JSON.stringify({ file: text, mode: 420 }),
    yaml: (text) => `mode: 420\nfile: |\n${text.replace(/^/gm, "  ")}\nowner: root\n`,
    quoted: (text) => `mode: 420\nfile: ${JSON.stringify(text)}\n`,
    base64,
    gzip: (text) => gzipSync(text).toString("base64"),
};

describe("a redacted state with secrets in text that nobody marked", () => {
    for (const [where, [inputs, secrets, type]] of Object.entries(planted)) {
        it(`contains no secret of ${where}, and names the property`, () => {
            const { text, unmarked } = redactInputs(inputs, type);
            assert.deepEqual(
                secrets.filter((secret) => text.includes(secret)),
                [],
            );
            assert.match(unmarked.join("\n"), /Thing docs: |Secret docs: /);
        });
    }

    it("contains no secret, however texts are packed into each other, and names the property", () => {
        const secret = fc.stringMatching(/^7Qx[a-z\d]{5}[A-Z]{2}[\w~!-]{4,12}9$/);
        const packings = fc.array(fc.constantFrom(...Object.values(packed)), { maxLength: 4 });
        const kind = fc.constantFrom(...Object.values(settings));
        fc.assert(
            fc.property(secret, kind, packings, (value, write, packs) => {
                const inputs = { text: packs.reduce((inner, pack) => pack(inner), write(value)) };
                const { text, unmarked } = redactInputs(inputs);
                assert.ok(!text.includes(value), text);
                assert.match(unmarked.join("\n"), /Thing docs: /);
            }),
            { numRuns: scaled({ short: 50, long: 1000 }) },
        );
    });

    it("preserves the rest of the text", () => {
        const { inputs } = redactInputs({
            json: `{ "password":"${password}", "port": 8080 ,"list":[1.0,true] }`,
            yaml: `# settings\npassword: '${password}' # old\ntext: |\n  DB_TOKEN=${key}\n  keep: this\nport: 0x1F\n`,
            env: `export A=b\nDB_PASSWORD="${password}"\n`,
        });
        const [json, yaml, env] = ["json", "yaml", "env"].map((name) => String(inputs[name]));
        assert.match(json ?? "", /^\{ "password":"redacted-\d+", "port": 8080 ,"list":\[1\.0,true\] \}$/);
        assert.match(
            yaml ?? "",
            /^# settings\npassword: 'redacted-\d+' # old\ntext: \|\n {2}DB_TOKEN=redacted-\d+\n {2}keep: this\nport: 0x1F\n$/,
        );
        assert.equal((parse(yaml ?? "") as { port: number }).port, 31);
        assert.match(env ?? "", /^export A=b\nDB_PASSWORD="redacted-\d+"\n$/);
    });

    it("preserves text without secrets", () => {
        const inputs = {
            manifest: "kind: ConfigMap\ndata:\n  name: docs\n  tokens: 100\n",
            script: '#!/bin/sh\nPASSWORD="$DB_PASSWORD"\nTOKEN=${TOKEN}\necho "the password: as usual"\n',
            template: "password: {{ .Values.password }}\n",
            certificate: base64(certificate),
            sourceCodeHash: Buffer.alloc(32, 200).toString("base64"),
            publicKey: "MCowBQYDK2VwAyEA7Qx9mK2pLw4vRt8s",
            pull: { existingSecret: "docs-credentials" },
            prose: "Note: this is text. Key: value",
        };
        const { inputs: after, unmarked, unread } = redactInputs(inputs);
        assert.deepEqual([after, unmarked, unread], [inputs, [], []]);
    });

    it("uses the same placeholder for the same secret in text and elsewhere", () => {
        const { inputs } = redactInputs({ password, env: `DB_PASSWORD=${password}\n` });
        assert.equal(inputs["env"], `DB_PASSWORD=${String(inputs["password"])}\n`);
    });

    it("changes only the password in Basic credentials if it is known, as the program does", () => {
        const token = "t0ken-of-the-config";
        const header = (secret: string) => `Basic ${base64(`user:${secret}`)}`;
        const { resources, configuration } = redact(
            stateOf([resource("release", "docs", { inputs: { header: header(token) } })]),
            { configuration: `config:\n  docs:token: ${token}\n` },
        );
        const { config } = parse(configuration ?? "") as { config: Record<string, string> };
        assert.equal(resources[0]?.["inputs"]?.["header"], header(config["docs:token"] ?? ""));
    });

    it("names a property whose text cannot be read, and the reason", () => {
        const binary = Buffer.from(Array.from({ length: 100 }, (_, index) => 255 - index)).toString("base64");
        const { inputs, unread } = redactInputs({ blob: binary, broken: '{"port": ', text: "plain" });
        assert.equal(inputs["blob"], binary);
        assert.deepEqual(unread, [
            "Thing docs: blob (Base64 of something other than text)",
            "Thing docs: broken (neither valid JSON nor valid YAML)",
        ]);
    });
});

describe("a redacted configuration with a secret in the text of a setting", () => {
    it("contains the placeholder that the state contains, in an unchanged text", () => {
        const text = `{"DB_PASSWORD": "${password}", "port": 80}`;
        const { configuration, resources, doubts } = redact(
            stateOf([resource("release", "docs", { inputs: { env: text } })]),
            { configuration: `config:\n  docs:env: '${text}'\n  docs:port: 0x1F\n` },
        );
        const { config } = parse(configuration ?? "") as { config: Record<string, string> };
        assert.match(config["docs:env"] ?? "", /^\{"DB_PASSWORD": "redacted-\d+", "port": 80\}$/);
        assert.equal(resources[0]?.["inputs"]?.["env"], config["docs:env"]);
        assert.deepEqual(doubts, []);
    });
});
