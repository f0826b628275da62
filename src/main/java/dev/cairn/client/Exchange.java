package dev.cairn.client;

import java.time.Duration;

/**
 * One attempt of a request, for logs; it has no secrets.
 *
 * @param request the method, path and query
 * @param attempt the number of the attempt, counted from 1
 * @param status the HTTP status; null if there was no answer
 * @param elapsed from the beginning of the attempt to the answer's headers, or to its end
 */
public record Exchange(String request, int attempt, @Nullable Integer status, Duration elapsed) {}
