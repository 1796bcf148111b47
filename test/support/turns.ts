/**
 * Lets this number of turns of the event loop pass, in which a client and a server of this process
 * exchange what is under way, however busy the machine is.
 */
export async function turns(count = 50): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}
