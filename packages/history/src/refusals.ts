import { resolve } from 'node:path';
import { HistoryError } from './history-error.ts';

export const notEmpty = (directory: string): HistoryError =>
  new HistoryError(
    'DIRECTORY_NOT_EMPTY',
    `${resolve(directory)} holds something already. Name a folder that is not there yet.`,
  );

export const noSuchRecording = (experiment: string, place: string): HistoryError =>
  new HistoryError(
    'NOT_FOUND',
    `${place} holds no experiment ${experiment}. deadheat history --recordings lists what it holds.`,
  );
