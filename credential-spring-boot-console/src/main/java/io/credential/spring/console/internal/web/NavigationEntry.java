package io.credential.spring.console.internal.web;

/**
 * A link to a section of the console.
 *
 * @param path of its first page, below the path of the console; empty for the overview
 * @param label as it is shown
 * @param order where it stands; a smaller number comes first
 */
public record NavigationEntry(String path, String label, int order) {}
