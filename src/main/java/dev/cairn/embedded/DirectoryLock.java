package dev.cairn.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The exclusive lock on a data directory. The operating system releases it when the process ends,
 * however it ends. On release the file is emptied, not deleted: deleting it could delete the file
 * that another process has just locked.
 */
final class DirectoryLock implements AutoCloseable {
  /** After the pid, because on Windows other processes cannot read locked bytes. */
  private static final long LOCKED_BYTE = Integer.MAX_VALUE;

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock at once, or throws an exception that names the process that holds it. */
  static DirectoryLock take(Path directory) throws IOException {
    var file = PrivateFiles.file(directory.resolve("lock"));
    var channel = FileChannel.open(file, StandardOpenOption.WRITE);
    if (!tryLock(channel)) {
      channel.close();
      throw new IllegalStateException(
          ("The data directory %s is in use by process %s: stop that process, or set"
                  + " CAIRN_DATA_DIR to another directory")
              .formatted(directory, PrivateFiles.read(file)));
    }
    channel.truncate(0);
    channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)));
    return new DirectoryLock(channel);
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_BYTE, 1, false) != null;
    } catch (OverlappingFileLockException heldByThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.truncate(0);
      channel.close();
    }
  }
}
