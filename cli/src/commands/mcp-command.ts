import { type ClientOptions } from "../command-line/admin-client.js";
import { type CliCommand } from "../command-line/cli-command.js";
import { clientNotes, clientOptions, siteArgument } from "../command-line/options.js";

/** Serves an exported site to an agent on this machine. */
export const mcpCommand: CliCommand = {
    name: "mcp",
    summary: "Let an agent on this machine search and read an exported site, over standard input and output.",
    arguments: [siteArgument("the address of a site, ")],
    options: clientOptions,
    exitCodes: {
        0: "the agent closed the connection",
        2: "wrong usage, or no exported site was found",
        5: "a job's bundle could not be fetched",
        130: "Ctrl-C",
    },
    notes:
        "Agents start this command themselves: add it to your agent as a Model Context Protocol server. The server " +
        `finds only pages that everybody may read.\n\n${clientNotes} The address and the key are needed only for the ` +
        "id of a job.",
    examples: [
        "static-export mcp site                      a folder that build has written",
        "static-export mcp https://docs.example.com  an exported site, wherever it is served",
    ],
    run: async (place: string, options: ClientOptions) =>
        (await import("../answer/answer.js")).serveToAgent(place, options),
};
