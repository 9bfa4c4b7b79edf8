import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { withServer } from "../../sdk/support/http-server.js";
import { run } from "../support/command.js";

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = [part({ alg: "RS256", kid: "spec" }), part({ sub: "system:serviceaccount:docs" }), "c2lnbmF0dXJl"].join(
    ".",
);

describe("Publishing with the identity token of a pod", () => {
    for (const [how, encode, authorities] of [
        ["as it is", (text: string) => text, undefined],
        ["in Base64", (text: string) => Buffer.from(text).toString("base64"), undefined],
        ["as it is, and AWS_CA_BUNDLE is set, although STS has no TLS", (text: string) => text, "authorities.pem"],
    ] as const) {
        it(`shows no token that STS repeats in its refusal: ${how}`, async () => {
            const folder = await mkdtemp(join(tmpdir(), "identity-token-"));
            const refusal = `<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>No provider for ${encode(token)}.</Message></Error></ErrorResponse>`;
            try {
                await writeFile(join(folder, "token"), token);
                await writeFile(join(folder, "index.html"), "<h1>Home</h1>");
                await writeFile(join(folder, "authorities.pem"), rootCertificates[0]!);
                await withServer(
                    [(response) => response.writeHead(400, { "content-type": "text/xml" }).end(refusal)],
                    async ({ baseUrl, requests }) => {
                        const { exitCode, stdout, stderr } = await run(
                            folder,
                            ["publish", ".", "--to", "s3://docs/site"],
                            {
                                AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "token"),
                                AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/docs",
                                AWS_ENDPOINT_URL_STS: baseUrl,
                                AWS_REGION: "eu-central-1",
                                ...(authorities === undefined ? {} : { AWS_CA_BUNDLE: join(folder, authorities) }),
                                AWS_EC2_METADATA_DISABLED: "true",
                                AWS_CONFIG_FILE: join(folder, "none"),
                                AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"),
                            },
                        );
                        assert.ok(requests.some(({ body }) => body.includes("WebIdentityToken")));
                        assert.equal(exitCode, 1, stderr);
                        assert.match(stderr, /No provider for \[secret\]/);
                        assert.ok(
                            ![token, encode(token)].some((text) => (stdout + stderr).includes(text.slice(0, 40))),
                        );
                    },
                );
            } finally {
                await rm(folder, { recursive: true });
            }
        });
    }
});
