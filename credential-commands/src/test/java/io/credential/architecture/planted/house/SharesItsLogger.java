package io.credential.architecture.planted.house;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Breaks: loggers are private constants. */
public final class SharesItsLogger {

    public final Logger logger = LoggerFactory.getLogger(SharesItsLogger.class);
}
