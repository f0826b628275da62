/**
 * What all capabilities stand on: configuration and its checks at start, ids, deadlines, and the
 * ids in the log. Its sub-packages are:
 *
 * <pre>
 * operation    graceful shutdown, roles, traces, metrics
 * memory       connections and the memory that requests and answers may take
 * page         pages of lists, cursors, the JSON of answers
 * http         rules for requests, problem documents, addresses
 * limiter      how much work is done at a time
 * database     SQL, migrations, the embedded database's interface
 * secret       sealing of secrets, HMAC
 * </pre>
 *
 * <p>Each of them may call those below it as {@code ArchitectureTest} lists, and this package,
 * which calls none of them. All of them may call {@code model} and no other package. Start reading
 * at {@link dev.cairn.platform.CairnConfig}.
 */
package dev.cairn.platform;
