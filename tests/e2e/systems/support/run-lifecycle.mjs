// Calls the packed provider as Pulumi does: program, operation, and the operation's arguments as JSON.
import lifecycle from "pulumi-static-export/lifecycle";

const [operation, args] = process.argv.slice(2);
console.log(JSON.stringify(await lifecycle.staticExportBundle[operation](...JSON.parse(args))));
// The provider's timers keep the process alive, as in Pulumi.
process.exit();
