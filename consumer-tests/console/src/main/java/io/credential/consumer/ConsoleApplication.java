package io.credential.consumer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ConsoleApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ConsoleApplication.class, arguments);
    }
}
