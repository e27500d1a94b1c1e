package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ReceiverConsoleApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ReceiverConsoleApplication.class, arguments);
    }
}
