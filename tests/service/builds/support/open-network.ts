import { ProgramUsers } from "../../../../service/src/processes/program-user.js";
import { UserModeNetwork } from "../../../../service/src/processes/user-mode-network.js";

/** Opens the network of builds, as the service does. @returns why this machine has none, if it has none */
export function openNetwork(): UserModeNetwork | string {
    const users = ProgramUsers.open();
    return UserModeNetwork.open([], process.env, typeof users === "string" ? undefined : users.forRun());
}
