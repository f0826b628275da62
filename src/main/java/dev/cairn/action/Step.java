package dev.cairn.action;

/** How far an attempt has come: to its {@link Outcome}, or its action is {@link Ongoing}. */
public sealed interface Step permits Outcome, Ongoing {}
