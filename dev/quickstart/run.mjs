import { bootstrap } from "../toolchain/bootstrap.mjs";

await bootstrap();
const { main } = await import("./dist/main.js");
await main(process.argv.slice(2));
