/** The least that a server can do: answers each request with the text that it is given. `node peer-process.ts <text>` */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [, , body = ""] = process.argv;
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
const server = createServer((_request, response) => response.writeHead(200, headers).end(body));
// The same as the service's, because late clients reuse connections that were idle for more than 5 seconds.
server.keepAliveTimeout = 30_000;
server.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
