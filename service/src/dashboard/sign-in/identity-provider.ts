import { beginningOf } from "@pulumi-static-export/contract";
import { createProxyAgent } from "@pulumi-static-export/contract/proxy";
import fetch from "node-fetch";
import { type ClientAuth, type Configuration, type CustomFetch } from "openid-client";
import { type ResolvedOidc } from "./oidc-options.js";
import { type Person } from "./sign-in-groups.js";

/** What the browser keeps between the two halves of a sign-in. */
export interface StartedSignIn {
    state: string;
    nonce: string;
    /** Proves to the provider that the same client ends the sign-in that began it (PKCE). */
    verifier: string;
}

/** The identity provider could not be asked, or refused; the message may be in the log. */
export class SignInError extends Error {
    override readonly name = "SignInError";
    /** Whether a later try may succeed. */
    readonly isUnavailable: boolean;

    constructor(message: string, { cause, isUnavailable = false }: { cause?: unknown; isUnavailable?: boolean } = {}) {
        super(message, { cause });
        this.isUnavailable = isUnavailable;
    }
}

const timeoutSeconds = 10;
const maxAnswerBytes = 1024 * 1024;
const maxNameLength = 100;
const maxIdLength = 255;
/** How long the provider's settings are trusted. */
const freshMs = 3600 * 1000;

/** The sign-in with OpenID Connect: the code flow with PKCE, state and nonce. */
export class IdentityProvider {
    readonly #options: ResolvedOidc;
    readonly #redirectUrl: () => string;
    #discovered: { configuration: Promise<Configuration>; untilMs: number } | undefined;

    /** @param redirectUrl - the address to which the provider sends the browser back */
    constructor(options: ResolvedOidc, redirectUrl: () => string) {
        this.#options = options;
        this.#redirectUrl = redirectUrl;
    }

    /** @returns the provider's page, and what the browser keeps until it comes back @throws SignInError */
    async begin(): Promise<{ page: URL; started: StartedSignIn }> {
        const client = await import("openid-client");
        const configuration = await this.#discover();
        const started = {
            state: client.randomState(),
            nonce: client.randomNonce(),
            verifier: client.randomPKCECodeVerifier(),
        };
        const page = client.buildAuthorizationUrl(configuration, {
            redirect_uri: this.#redirectUrl(),
            scope: this.#options.scope,
            code_challenge: await client.calculatePKCECodeChallenge(started.verifier),
            code_challenge_method: "S256",
            state: started.state,
            nonce: started.nonce,
        });
        return { page, started };
    }

    /** @param query - of the address to which the provider sent the browser @throws SignInError */
    async finish(query: string, { state, nonce, verifier }: StartedSignIn): Promise<Person> {
        const client = await import("openid-client");
        const configuration = await this.#discover();
        try {
            const tokens = await client.authorizationCodeGrant(
                configuration,
                new URL(`${this.#redirectUrl()}${query}`),
                { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
            );
            const claims = tokens.claims();
            if (claims === undefined) {
                throw new SignInError("The answer contains no ID token.");
            }
            const { groupsClaim } = this.#options;
            // Many providers put the groups only into the second answer.
            const isComplete = groupsClaim in claims || configuration.serverMetadata().userinfo_endpoint === undefined;
            const more = isComplete
                ? {}
                : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
            return personOf({ ...more, ...claims }, groupsClaim);
        } catch (error) {
            throw new SignInError(describe(error), { cause: error });
        }
    }

    async #discover(): Promise<Configuration> {
        if (this.#discovered === undefined || performance.now() >= this.#discovered.untilMs) {
            const configuration = this.#discoverNow();
            const discovered = { configuration, untilMs: performance.now() + freshMs };
            this.#discovered = discovered;
            configuration.catch(() => {
                if (this.#discovered === discovered) {
                    this.#discovered = undefined;
                }
            });
        }
        return this.#discovered.configuration;
    }

    async #discoverNow(): Promise<Configuration> {
        const client = await import("openid-client");
        const { issuer, clientId, clientSecret } = this.#options;
        const authentication: ClientAuth = (server, ...rest) => {
            const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
            const create = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
            (clientSecret === undefined ? client.None() : create(clientSecret))(server, ...rest);
        };
        // Every token's signature is verified, also of those that come from the provider itself.
        const execute = [client.enableNonRepudiationChecks];
        if (issuer.protocol === "http:") {
            execute.push(client.allowInsecureRequests);
        }
        try {
            return await client.discovery(issuer, clientId, undefined, authentication, {
                execute,
                timeout: timeoutSeconds,
                [client.customFetch]: throughProxy,
            });
        } catch (error) {
            throw new SignInError(`The identity provider ${issuer.host} cannot be used: ${describe(error)}`, {
                cause: error,
                isUnavailable: true,
            });
        }
    }
}

const throughProxy: CustomFetch = async (address, { method, headers, body, signal }) => {
    const agent = await createProxyAgent(address);
    const response = await fetch(address, {
        method,
        headers,
        ...(body instanceof URLSearchParams ? { body } : {}),
        ...(signal === undefined ? {} : { signal }),
        ...(agent === undefined ? {} : { agent }),
        // A redirect must not carry the client's secret to another host.
        redirect: "manual",
        size: maxAnswerBytes,
    });
    const text = await response.text();
    return new Response(text === "" ? null : text, {
        status: response.status,
        headers: Object.fromEntries(response.headers),
    });
};

function personOf(claims: Readonly<Record<string, unknown>>, groupsClaim: string): Person {
    const { sub } = claims;
    if (typeof sub !== "string" || !/^[\x20-\x7e]+$/.test(sub) || sub.length > maxIdLength) {
        throw new SignInError("The person's id (sub) is not a string of up to 255 ASCII characters.");
    }
    const names = ["preferred_username", "email", "name"].map((name) => textOf(claims[name]));
    // Anybody can enter an address at some providers: only a confirmed one says who the person is.
    if (groupsClaim === "email" && claims["email_verified"] !== true) {
        throw new SignInError("The provider has not verified the person's email address, which decides what they may do.");
    }
    const groups = [claims[groupsClaim] ?? []].flat();
    return {
        id: sub,
        name: names.find((name) => name !== "") ?? sub,
        groups: groups.filter((group) => typeof group === "string"),
    };
}

/** A name is part of log lines: it must not begin another one, or turn the text around. */
function textOf(claim: unknown): string {
    return typeof claim === "string" ? beginningOf(claim.replace(/[\p{Cc}\p{Cf}]/gu, "").trim(), maxNameLength) : "";
}

/** The reason, without the texts of the provider's answer or the browser's address, which may contain a secret. */
function describe(error: unknown): string {
    const { message, cause, code } = error as Error & { code?: string };
    if (error instanceof SignInError) {
        return message;
    }
    const refusal = (error as { error?: unknown }).error;
    const inner = cause instanceof Error ? `: ${cause.message}` : "";
    const reason = typeof refusal === "string" ? `${message} (${refusal})` : `${message}${inner}`;
    return beginningOf(`${reason}${code === undefined ? "" : ` [${code}]`}`.replace(/[\p{Cc}\p{Cf}]/gu, ""), 500);
}
