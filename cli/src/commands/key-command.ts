import { Argument, Option } from "commander";
import { addTo, clientNotes, clientOptions, jsonOption, readCount, readWholeNumber } from "../command-line/options.js";
import { type CliCommand, type ExitCodes } from "../command-line/cli-command.js";
import { changeKey, createKey, listKeys, revokeKey, rotateKey, rotateLinkSecret } from "../keys/keys.js";

const exitCodes: ExitCodes = { 0: "done", 2: "wrong usage or settings", 5: "a request failed, or was refused" };
const newName = new Argument("<name>", "name of the key in logs");
const name = new Argument("<name>", "the name or the id of the key");

function rightsOptions(): readonly Option[] {
    return [
        new Option(
            "--scope <scope>",
            "what the key may do: read, export, update, agent or keys (repeatable)",
        ).argParser(addTo),
        new Option(
            "--domain <domain>",
            "only exports of this domain, or of all below it: *.example.com (repeatable)",
        ).argParser(addTo),
        new Option(
            "--project <id>",
            "only agent jobs of this project, and updates of its sites (repeatable)",
        ).argParser(addTo),
        new Option("--expires-days <days>", "days until the key expires (default: never)").argParser(readCount),
    ];
}

function graceOption(description: string): Option {
    return new Option("--grace-seconds <seconds>", description).argParser((text) =>
        readWholeNumber(text, 0, 9_999_999),
    );
}

export const keyCommand: CliCommand = {
    name: "key",
    summary: "Manage admin API keys of the self-hosted service.",
    exitCodes,
    notes:
        "Services accept a new key and refuse a revoked one at once. The service's own key (--admin-key-file of serve) " +
        "may do everything; a key with --domain or --project is restricted to the named domains or projects.\n" +
        clientNotes,
    examples: [
        "static-export key create ci --scope export --scope read > ci-key",
        "static-export key create docs-team --scope read --domain '*.docs.example.com' --expires-days 90",
        "static-export key change docs-team --scope read --scope export",
        "static-export key rotate ci --grace-seconds 3600 > ci-key",
        "static-export key revoke ci",
    ],
    subcommands: [
        {
            name: "create",
            summary: "create a key, and print it; it cannot be shown again",
            arguments: [newName],
            options: [
                ...clientOptions,
                ...rightsOptions().map((option, index) => option.makeOptionMandatory(index === 0)),
            ],
            exitCodes,
            run: createKey,
        },
        {
            name: "list",
            summary: "list all keys, also revoked and expired ones",
            options: [...clientOptions, jsonOption("the keys")],
            exitCodes,
            run: listKeys,
        },
        {
            name: "change",
            summary: "change what a key may do; the secret and all other rights stay the same",
            arguments: [name],
            options: [...clientOptions, ...rightsOptions()],
            exitCodes,
            run: changeKey,
        },
        {
            name: "rotate",
            summary: "give a key a new secret, and print it; it cannot be shown again",
            arguments: [name],
            options: [...clientOptions, graceOption("for how long the earlier secret still works").default(0)],
            exitCodes,
            run: rotateKey,
        },
        {
            name: "revoke",
            summary: "revoke a key",
            arguments: [name],
            options: clientOptions,
            exitCodes,
            run: revokeKey,
        },
        {
            name: "rotate-link-secret",
            summary: "sign bundle links with a new secret",
            options: [
                ...clientOptions,
                graceOption("for how long earlier links still work: 0 after a leak (default: the lifetime of a link)"),
            ],
            exitCodes,
            run: rotateLinkSecret,
        },
    ],
};
