/** A mistake on the command line. */
export interface Mistake {
    readonly what: string;
    readonly args: readonly string[];
    readonly message: RegExp;
    /** @default 2 */
    readonly exitCode?: number;
    readonly env?: Record<string, string>;
}

const exportSite = ["export", "--domain", "docs.example.com", "--output", "site"];
const ownService = ["--base-url", "http://127.0.0.1:9"];

/** Each ends in one line with a remedy. */
export const mistakes: readonly Mistake[] = [
    {
        what: "a command that does not exist",
        args: ["exprot"],
        message: /unknown command 'exprot'\n\(Did you mean export\?\)/,
    },
    {
        what: "an option that does not exist",
        args: ["doctor", "--stak", "dev"],
        message: /unknown option '--stak'\n\(Did you mean --stack\?\)/,
    },
    {
        what: "a key file that does not exist, for a request to a service",
        args: [...exportSite, ...ownService, "--admin-key-file", "nokey"],
        message: /The admin key file nokey does not exist\. Write the service's admin API key into it, or set STATIC_/,
    },
    {
        what: "an address without a scheme",
        args: [...exportSite, "--base-url", "localhost:8080"],
        message:
            /--base-url \(or STATIC_EXPORT_BASE_URL\) must be an address such as http:\/\/localhost:8787, with http:\/\/\./,
    },
    {
        what: "a list of keys without an address",
        args: ["key", "list"],
        message: /No address of the service is set: pass --base-url, or set STATIC_EXPORT_BASE_URL\./,
    },
    {
        what: "a migration without a database",
        args: ["migrate"],
        message: /no database: give --database or set STATIC_EXPORT_DATABASE_URL/,
    },
    {
        what: "a comparison with a folder that does not exist",
        args: ["compare", "old", "new"],
        message: /There is no folder or archive old here\. To use an export job of a service: /,
    },
    {
        what: "a comparison with an archive that does not exist",
        args: ["compare", "old.tar.gz", "new.tar.gz"],
        message: /There is no folder or archive old\.tar\.gz\./,
    },
    {
        what: "a build of a folder that does not exist",
        args: ["build", "dosc"],
        message: /There is no folder .*dosc\./,
    },
    {
        what: "an export without the address of a service",
        args: exportSite,
        message: /No address of the service is set: pass --base-url, or set STATIC_EXPORT_BASE_URL\./,
    },
    {
        what: "a shell that has no completion",
        args: ["completion", "csh"],
        message: /Allowed choices are bash, zsh, fish/,
    },
    {
        what: "a redaction of a state that does not exist",
        args: ["redact-state", "state.json", "--out", "redacted"],
        message: /state\.json/,
    },
    {
        what: "http to another machine",
        args: [...exportSite, "--base-url", "http://api.example.com"],
        message: /must begin with https:\/\/: .* would send the admin API key unencrypted/,
    },
    {
        what: "a key file that others can read",
        args: [...exportSite, ...ownService, "--admin-key-file", "docs/index.md"],
        message: /Every user of this machine can read the admin key file docs\/index\.md: run chmod 600/,
    },
    {
        what: "an export into a folder with files",
        args: ["export", "--domain", "docs.example.com", "--output", "docs", ...ownService],
        message: /The folder docs is not empty: choose another --output/,
    },
    {
        what: "a site to serve without its folder",
        args: ["serve", "--site", "docs.example.com"],
        message: /argument 'docs\.example\.com' is invalid\. Write it as docs\.example\.com=\.\/docs\./,
    },
    {
        what: "a site to serve from a folder that does not exist",
        args: ["serve", "--site", "docs.example.com=dosc"],
        message: /Site docs\.example\.com: there is no folder .*dosc\./,
    },
    {
        what: "a bucket without s3://",
        args: ["publish", "docs", "--to", "docs-bucket"],
        message:
            /"docs-bucket" is not a place for a site: pass s3:\/\/BUCKET\/PREFIX, az:\/\/CONTAINER\/PREFIX or file:\/\/\/srv\/docs\./,
    },
    {
        what: "a name that cannot be one of a bucket",
        args: ["publish", "docs", "--to", "s3://a b/docs"],
        message: /s3:\/\/a b\/docs names no bucket: pass s3:/,
    },
    {
        what: "neither a site nor a release to publish",
        args: ["publish", "--to", "file://docs"],
        message: /Name either a site to publish, or an earlier release with --to-release\./,
    },
    {
        what: "an output below a file",
        args: ["build", "docs", "--output", "docs/index.md/site"],
        message:
            /docs\/index\.md\/site cannot be used \(ENOTDIR\): a part of the path is a file: choose another place\./,
    },
    {
        what: "a file of warnings in a folder that does not exist",
        args: ["build", "docs", "--warnings", "none/warnings.json"],
        message: /--warnings none\/warnings\.json: there is no folder .*none\./,
    },
    {
        what: "a project below a file",
        args: ["init", "--domain", "docs.example.com", "docs/index.md/project"],
        message: /docs\/index\.md\/project cannot be used \(ENOTDIR\)/,
    },
    {
        what: "a data folder that cannot be created",
        args: ["serve", "--site", "docs.example.com=docs", "--data-dir", "/proc/none/data"],
        message: /Data folder \/proc\/none\/data cannot be written \(ENOENT\): choose another one/,
    },
    {
        what: "a comment for an unknown stack",
        args: ["preview", "--comment", "github"],
        message: /--comment needs --stack/,
    },
    {
        what: "a report on an event log that does not exist",
        args: ["preview-report", "events.log"],
        message: /The event log events\.log cannot be read \(ENOENT\)\. Record one with `PULUMI_/,
    },
    {
        what: "a site to search that is not exported yet",
        args: ["answer", "docs"],
        message: /docs: This is not an exported site/,
    },
    {
        what: "a database that is not there",
        args: ["migrate", "--database", "postgres://docs:s3cr3t@127.0.0.1:9/docs"],
        message: /^error: The database at 127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\)\. Check its address, and/,
    },
    {
        what: "a sites file that does not exist",
        args: ["serve", "--sites-file", "sites"],
        message: /Sites file \S+sites cannot be read \(ENOENT\): check its path, and that this user may read it\./,
    },
    {
        what: "an address to listen on that is not this machine's",
        args: ["serve", "--site", "docs.example.com=docs", "--host", "203.0.113.1"],
        message: /This machine has no address 203\.0\.113\.1 to listen on: choose another --host\./,
    },
    {
        what: "a port that is not a number",
        args: ["dev", "docs", "--port", "abc"],
        message: /'--port <number>' argument 'abc' is invalid\. Use a whole number from 0 to 65535\./,
    },
    {
        what: "a folder to show that does not exist",
        args: ["dev", "dosc"],
        message: /There is no folder .*dosc\./,
    },
    {
        what: "a domain with a scheme",
        args: ["build", "docs", "--domain", "https://docs.example.com"],
        message: /--domain https:\/\/docs\.example\.com: it must be a host name only, such as docs\.example\.com\./,
    },
    {
        what: "an archive inside the site",
        args: ["build", "docs", "--zip", "docs/site.zip"],
        message: /docs\/site\.zip is inside docs, whose files are published: choose a --zip outside that folder\./,
    },
    {
        what: "an output inside the site",
        args: ["build", "docs", "--output", "docs/site"],
        message: /docs\/site is inside docs, whose files are pages: choose an --output outside that folder\./,
    },
    {
        what: "a folder to publish to that does not exist",
        args: ["publish", "docs", "--to", "file://served"],
        message: /There is no folder .*served: create it, or mount the disk that contains it\./,
    },
    {
        what: "a bucket without a name",
        args: ["publish", "docs", "--to", "s3://"],
        message: /s3:\/\/ names no bucket: pass s3:\/\/BUCKET\/PREFIX/,
    },
    {
        what: "a container whose name the shell has replaced",
        args: ["publish", "docs", "--to", "az://"],
        message: /az:\/\/ names no container: .* write 'az:\/\/\$web' in single quotes/,
    },
    {
        what: "releases of a folder that does not exist",
        args: ["releases", "file://served"],
        message: /There is no folder .*served: create it/,
    },
    {
        what: "a kind of project that does not exist",
        args: ["create", "site", "--kind", "book"],
        message: /argument 'book' is invalid\. Allowed choices are writer, pulumi, service\./,
    },
    {
        what: "a question that create cannot ask without a terminal",
        args: ["create", "site"],
        message: /Pass --kind writer, --kind pulumi or --kind service: without a terminal, create cannot ask for it\./,
    },
    {
        what: "a project for a bucket without its name",
        args: ["init", "--domain", "docs.example.com", "--for", "bucket"],
        message: /--for bucket needs --bucket with the name of an existing bucket\./,
    },
    {
        what: "the name of a stack with a slash",
        args: ["init", "--domain", "docs.example.com", "--stack", "acme/dev"],
        message: /--stack is "acme\/dev", but it must have 1 to 100 letters, digits, dots, "-" or "_"\./,
    },
    {
        what: "an examination of a folder that does not exist",
        args: ["doctor", "--cwd", "project"],
        message: /There is no folder project: pass the folder of the Pulumi program with --cwd\./,
    },
    {
        what: "a bundle into a folder with files",
        args: ["fetch", "se_1", "--output", "docs", ...ownService],
        message: /The folder docs is not empty: choose another --output/,
    },
    {
        what: "a service that does not run",
        exitCode: 5,
        args: ["job", "se_1", ...ownService],
        message: /Export job se_1: the connection was refused, ECONNREFUSED .* that the service is running\.$/m,
    },
    {
        what: "a proxy that does not run",
        exitCode: 5,
        args: ["job", "se_1", "--base-url", "https://api.example.com"],
        env: { HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "" },
        message: /The request goes through the proxy 127\.0\.0\.1:9 \(HTTPS_PROXY\): check that the proxy runs/,
    },
    {
        what: "a site's own builder that fails",
        exitCode: 1,
        args: ["build", "docs", "--command", "exit 3", "--output-folder", "build", "--output", "site"],
        message: /^error: exit 3 ended with exit code 3: see its log above\.$/m,
    },
    {
        what: "a missing option",
        args: ["agent-job", "create"],
        message: /required option '--project <id>' not specified/,
    },
    {
        what: "a link instead of a job",
        args: ["fetch", "https://files.example.com/site.tar.gz", "--output", "site"],
        message: /fetch needs the id of a job, such as se_42, but got an address\. .* use curl /,
    },
    {
        what: "the option of publish for the argument of unpublish",
        args: ["unpublish", "--to", "file://served"],
        message: /Write the place without --to: static-export unpublish file:\/\/served/,
    },
    {
        what: "a page that the site does not have",
        exitCode: 1,
        args: ["build", "docs", "--path", "nope"],
        message: /^error: nope: the export was asked for this page, but the site has no page at this address/m,
    },
    {
        what: "a service without sites",
        args: ["serve"],
        message: /'--site <domain=folder>' not specified, nor --sites-file <file>/,
    },
];
