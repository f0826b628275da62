package dev.cairn;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Requests that begin at the same moment. */
public final class AtOnce {
  private AtOnce() {}

  /**
   * Sends requests at once; answers their statuses, in order of size.
   *
   * @param request sends the nth one, from 0
   */
  public static List<Integer> statuses(int count, IntFunction<Integer> request) {
    var start = new CyclicBarrier(count);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers =
          IntStream.range(0, count)
              .<Callable<Integer>>mapToObj(
                  i ->
                      () -> {
                        start.await();
                        return request.apply(i);
                      })
              .map(threads::submit)
              .toList();
      var statuses = new ArrayList<Integer>();
      for (var answer : answers) {
        statuses.add(answer.get());
      }
      return statuses.stream().sorted().toList();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
