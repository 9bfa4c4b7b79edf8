// An OpenID provider in a separate process: node identity-provider.mjs ADDRESS PORT REDIRECT_URL [KEY_FILE CERT_FILE]
// It signs a reader in immediately as the account in the cookie "account", or shows a form.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { hostInUrl } from "@pulumi-static-export/toolchain";
import Provider from "oidc-provider";

const [address, port, redirectUrl, keyFile, certFile] = process.argv.slice(2);

const form =
    '<!doctype html><form><label>Account <input name="account"></label> <button type="submit">Sign in</button></form>';

const groupsOf = { ann: ["staff"], bob: ["admins"], joe: ["guests", "admins", "staff"], eve: [], una: undefined };

const provider = new Provider(`${keyFile ? "https" : "http"}://${hostInUrl(address)}:${port}`, {
    clients: [{ client_id: "docs", client_secret: "client-secret", redirect_uris: [redirectUrl] }],
    claims: { openid: ["sub"], profile: ["groups"] },
    cookies: { keys: ["signs cookies"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, groups: groupsOf[id] }) }),
    async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope("openid profile");
        await grant.save();
        return grant;
    },
});

provider.use(async (context, next) => {
    if (!context.path.startsWith("/interaction/")) {
        return next();
    }
    const accountId = context.cookies.get("account") ?? context.query.account;
    if (accountId === undefined) {
        context.type = "html";
        context.body = form;
        return undefined;
    }
    return provider.interactionFinished(context.req, context.res, { login: { accountId } });
});

const server = keyFile
    ? createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, provider.callback())
    : createServer(provider.callback());
server.listen(Number(port), address, () => console.log("ready"));
