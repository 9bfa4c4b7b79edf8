import { createSign, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Claims = Record<string, unknown>;

/** An identity provider that signs whatever a spec tells it to. */
export interface ScriptedProvider {
    issuer: string;
    /** Changes the claims of the next ID tokens. */
    claims: (change: (claims: Claims) => Claims) => void;
    /** Signs the next ID tokens with a key that the provider does not publish. */
    useOtherKey: () => void;
    /** The bodies of the requests for tokens. */
    tokenRequests: URLSearchParams[];
}

const client = "docs";

export async function withScriptedProvider(use: (provider: ScriptedProvider) => Promise<void>): Promise<void> {
    const keys = [createKey(), createKey()] as const;
    let key = keys[0];
    let change = (claims: Claims): Claims => claims;
    let issuer = "";
    const nonces = new Map<string, string>();
    const tokenRequests: URLSearchParams[] = [];
    const answer = async (request: IncomingMessage): Promise<object> => {
        const { pathname, searchParams } = new URL(request.url ?? "", issuer);
        switch (pathname) {
            case "/.well-known/openid-configuration":
                return {
                    issuer,
                    authorization_endpoint: `${issuer}/authorize`,
                    token_endpoint: `${issuer}/token`,
                    jwks_uri: `${issuer}/keys`,
                };
            case "/authorize":
                nonces.set(`code-${nonces.size}`, searchParams.get("nonce") ?? "");
                return {
                    redirect: `${searchParams.get("redirect_uri")}?${new URLSearchParams({
                        code: `code-${nonces.size - 1}`,
                        state: searchParams.get("state") ?? "",
                    })}`,
                };
            case "/keys":
                return { keys: [{ ...keys[0].publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] };
            default: {
                const body = new URLSearchParams(await text(request));
                tokenRequests.push(body);
                const now = Math.floor(Date.now() / 1000);
                const nonce = nonces.get(body.get("code") ?? "");
                const usual = { iss: issuer, aud: client, sub: "4711", iat: now, exp: now + 60, nonce };
                const claims = change({ ...usual, preferred_username: "ann", groups: ["team"] });
                return { access_token: "at", token_type: "bearer", id_token: signed(claims, key.privateKey) };
            }
        }
    };
    const server = createServer((request, response) => {
        void answer(request).then((body) => {
            if ("redirect" in body) {
                response.writeHead(303, { location: String(body.redirect) }).end();
            } else {
                response.setHeader("content-type", "application/json").end(JSON.stringify(body));
            }
        });
    }).listen(0, "localhost");
    await once(server, "listening");
    issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    try {
        await use({
            issuer,
            tokenRequests,
            claims: (next) => void (change = next),
            useOtherKey: () => void (key = keys[1]),
        });
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

function createKey() {
    return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

function signed(claims: Claims, key: ReturnType<typeof createKey>["privateKey"]): string {
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const content = `${encode({ alg: "RS256" })}.${encode(claims)}`;
    return `${content}.${createSign("RSA-SHA256").update(content).sign(key, "base64url")}`;
}
