import { InvalidArgumentError, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { clientNotes, clientOptions, jsonOption, readWholeNumber, siteArgument } from "../command-line/options.js";
import { type PublishOptions } from "../publish/run-publish.js";

const day = 86_400;

/** Publishes a site to a host that only serves files. */
export const publishCommand: CliCommand = {
    name: "publish",
    summary: "Publish a site to a bucket or a folder that a web server serves: send what has changed, then switch.",
    arguments: [siteArgument()],
    options: [
        new Option(
            "--to <place>",
            "s3://BUCKET/PREFIX, az://CONTAINER/PREFIX, or file:///FOLDER",
        ).makeOptionMandatory(),
        new Option("--bucket-endpoint <url>", "URL of the storage, if it is neither AWS nor in AZURE_STORAGE_ACCOUNT"),
        new Option("--region <name>", "region of the bucket (default: AWS_REGION, else us-east-1)"),
        new Option("--owner <name>", "owner of the site; a place that belongs to another owner is rejected")
            .argParser(readOwner)
            .default("static-export"),
        new Option("--cache-control <value>", "Cache-Control of files without a digest in their name").default(
            "no-cache",
        ),
        new Option(
            "--addresses <how>",
            "/start: the host's rules, second objects, or the files _redirects and _headers",
        )
            .choices(["files", "objects", "rules"])
            .default("files"),
        new Option("--switching <how>", "replace file by file, or put each release into a folder and switch to it")
            .choices(["files", "releases"])
            .default("files"),
        new Option(
            "--access <how>",
            "edge: the host separates readers by access.json, so the site may have private pages",
        ).choices(["edge"]),
        new Option("--keep <count>", "earlier releases that can be published again by the id of their job")
            .argParser((text) => readWholeNumber(text, 0, 100))
            .default(0),
        new Option("--grace-seconds <seconds>", "how long to keep files that are no longer needed")
            .argParser((text) => readWholeNumber(text, 0, 365 * day))
            .default(day),
        new Option("--purge-cloudfront <id>", "purge the changed paths from this CloudFront distribution"),
        new Option("--purge-cloudflare <zone>", "purge them from this Cloudflare zone").argParser(readZone),
        new Option("--purge-host <name>", "host name of the site at Cloudflare").argParser(readHostName),
        new Option("--purge-webhook <url>", "send them to the webhook of another cache").argParser(readUrl),
        new Option("--purge-wait", "wait until CloudFront has the new files everywhere").default(false),
        new Option("--dry-run", "list what would be written and removed, and do nothing").default(false),
        ...clientOptions,
        jsonOption("what was done"),
    ],
    exitCodes: {
        0: "published, or nothing has changed",
        1: "the site or the place was rejected, or the storage or the CDN failed; run the command again to continue",
        5: "a job's bundle could not be fetched",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes:
        `${clientNotes} Only ids of jobs need the address and the key. The bucket's keys come from ` +
        "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the other places where the AWS SDK looks for them; it " +
        "has to be installed: npm install @aws-sdk/client-s3. Azure needs @azure/storage-blob; the key comes from " +
        "AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN, or, with @azure/identity installed, from this machine's " +
        "identity or `az login`.",
    examples: [
        "static-export publish site --to s3://docs-example-com",
        "static-export publish se_42 --to s3://docs/handbook --keep 3",
        "static-export publish site --to 'az://$web' --bucket-endpoint https://ACCOUNT.blob.core.windows.net",
        "static-export publish site.tar.gz --to file:///srv/docs --dry-run",
    ],
    run: async (site: string, options: PublishOptions) =>
        // The module is imported here, because few commands need it.
        (await import("../publish/run-publish.js")).runPublish(site, options),
};

function readOwner(text: string): string {
    return matching(text, /^[^\p{C}"]{1,200}$/u, "Use a name without quotes and control characters.");
}

function readZone(text: string): string {
    return matching(text, /^[0-9a-f]{32}$/, "Use the id of a zone: 32 hexadecimal digits.");
}

function readHostName(text: string): string {
    return matching(text, /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i, 'Use a host name, such as "docs.example.com".');
}

function readUrl(text: string): string {
    return matching(text, /^https?:\/\/[^\s/]+/, "Use a URL that begins with https:// or http://.");
}

function matching(text: string, pattern: RegExp, advice: string): string {
    if (!pattern.test(text)) {
        throw new InvalidArgumentError(advice);
    }
    return text;
}
